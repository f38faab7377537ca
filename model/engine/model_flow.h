#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/model_flow.h"
#include "model/trace/run.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Measures the residual stream along the path of `run`. Throws trace::Cancelled.
std::shared_ptr<const trace::ModelFlow> modelFlow(const OpenModel& model, const EncodedSource& source,
                                                  const network::Interventions& interventions,
                                                  const trace::Run& run, std::stop_token stop);

} // namespace headscope::engine
