#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/engine/open_model.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope::engine {

/// What is known of where the weights came from.
struct WeightsOrigin {
    std::string format; ///< for people
    std::vector<std::string> ignoredTensors = {};
    std::vector<std::string> ignoredKeys = {}; ///< of a random model's configuration
};

/// What `info` and the window say of a model. Throws trace::Refusal where a special token's id is outside the
/// vocabulary.
std::shared_ptr<const trace::ModelSummary>
summarise(const OpenModel& model, const checkpoint::ModelFolder& folder, WeightsOrigin origin);

} // namespace headscope::engine
