#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/engine/open_model.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope::engine {

/// Origin of the weights.
struct WeightsOrigin {
    std::string format;      ///< for display
    std::string prefix = {}; ///< before the names of the network's tensors
    /// What was merged, and the path of the base; empty without an adapter.
    std::vector<std::pair<std::string, std::string>> adapted = {};
    std::vector<std::string> notes = {}; ///< on settings that were left out
    std::vector<std::string> ignoredTensors = {};
    std::vector<std::string> ignoredKeys = {}; ///< unknown keys in the configuration of a random model
};

/// Returns the summary shown by `info` and the window. Throws trace::Refusal if the id of a special token is
/// outside the vocabulary.
std::shared_ptr<const trace::ModelSummary>
summarise(const OpenModel& model, const checkpoint::ModelFolder& folder, WeightsOrigin origin);

} // namespace headscope::engine
