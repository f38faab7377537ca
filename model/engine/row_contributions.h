#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/row_contributions.h"
#include "model/trace/run.h"

#include <cstddef>
#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Computes the contributions along the path of `run`. Throws trace::Refusal if there is no such head or row,
/// or if the head's output was replaced; trace::Cancelled.
std::shared_ptr<const trace::RowContributions>
rowContributions(const OpenModel& model, const EncodedSource& source,
                 const network::Interventions& interventions, const trace::Run& run,
                 const trace::HeadAddress& head, std::size_t query, std::stop_token stop);

} // namespace headscope::engine
