#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/head_importance.h"
#include "model/trace/run.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Ablates every head in turn. `run` is the run of the request, `source` its encoded source, `outputs` the
/// replaced head outputs in it. `partial` occasionally receives the results so far. Throws trace::Refusal if
/// the model has neither a decoder nor classes and predicts no masked token of this source; trace::Cancelled.
std::shared_ptr<const trace::HeadImportance>
measureImportance(const OpenModel& model, const EncodedSource& source, const trace::Run& run,
                  const std::vector<network::HeadOutput>& outputs, std::stop_token stop,
                  const trace::Partial& partial);

} // namespace headscope::engine
