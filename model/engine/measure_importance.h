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

/// Takes every head away in turn. `run` is what the request gave, `source` its encoded source, `outputs` what
/// replaces heads in it. `progress` is told now and then what is known. Throws trace::Refusal where there is
/// neither a decoder nor a classifier, trace::Cancelled.
std::shared_ptr<const trace::HeadImportance>
measureImportance(const OpenModel& model, const EncodedSource& source, const trace::Run& run,
                  const std::vector<network::HeadOutput>& outputs, std::stop_token stop,
                  const std::function<void(std::shared_ptr<const trace::HeadImportance>)>& progress);

} // namespace headscope::engine
