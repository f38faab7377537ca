#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/expert_routing.h"
#include "model/trace/run.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Records what the routers choose along the path of `run`. Throws trace::Refusal for a model without
/// experts, and trace::Cancelled.
std::shared_ptr<const trace::ExpertRouting> expertRouting(const OpenModel& model, const EncodedSource& source,
                                                          const network::Interventions& interventions,
                                                          const trace::Run& run, std::stop_token stop);

} // namespace headscope::engine
