#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/lens.h"
#include "model/trace/run.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Reads the residual stream of the decoder along the path of `run` in a single pass. Throws trace::Refusal
/// if there is no decoder; trace::Cancelled.
std::shared_ptr<const trace::Lens> readLens(const OpenModel& model, const EncodedSource& source,
                                            const network::Interventions& interventions,
                                            const trace::Run& run, std::stop_token stop);

} // namespace headscope::engine
