#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/classifier_reading.h"
#include "model/trace/run.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Throws trace::Refusal if the model is not a classifier; trace::Cancelled.
std::shared_ptr<const trace::ClassifierReading> readClassifier(const OpenModel& model,
                                                               const EncodedSource& source,
                                                               const network::Interventions& interventions,
                                                               const trace::Run& run, std::stop_token stop);

} // namespace headscope::engine
