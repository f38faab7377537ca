#pragma once

#include "model/engine/open_model.h"
#include "model/network/whole_pass.h"
#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"

#include <stop_token>

namespace headscope::engine {

/// Fills the maps of a_ij dF/da_ij at `maps.site`, with F the logit of the token that step `step` chose, less
/// that of the request's contrast if there is one; of a classifier, the logit of class number `step`. The
/// weights count as given: that they, too, depend on what came before is left out. Throws as quantityMaps()
/// does.
void fillGradientMaps(trace::QuantityMaps& maps, const OpenModel& model, const network::PassInput& input,
                      const trace::Run& run, std::size_t step, std::stop_token stop);

} // namespace headscope::engine
