#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/engine/open_model.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope::engine {

/// What `info` and the window say of a model. `format` and `unused` are of the weights file. Throws
/// trace::Refusal where a special token's id is outside the vocabulary.
std::shared_ptr<const trace::ModelSummary> summarise(const OpenModel& model,
                                                     const checkpoint::ModelFolder& folder,
                                                     const std::string& format,
                                                     const std::vector<std::string>& unused);

} // namespace headscope::engine
