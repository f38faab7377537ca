#pragma once

#include "model/engine/open_model.h"
#include "model/network/whole_pass.h"
#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"

#include <stop_token>

namespace headscope::engine {

/// Computes the maps of a_ij dF/da_ij at `maps.site`, where F is the logit of the token chosen by step
/// `step`, minus that of the request's contrast token if there is one; for a classifier, the logit of class
/// `step`. The weights are treated as independent variables: their dependence on earlier layers is ignored.
/// Throws as quantityMaps() does.
void fillGradientMaps(trace::QuantityMaps& maps, const OpenModel& model, const network::PassInput& input,
                      const trace::Run& run, std::size_t step, std::stop_token stop);

} // namespace headscope::engine
