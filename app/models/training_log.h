#pragma once

#include <filesystem>
#include <string>

namespace headscope::app {

/// The view of `render` that shows a training, drawn of its log and of no model.
inline constexpr const char* trainingView = "training-curves";

/// The log that is meant: the file itself, the folder that it lies in, or the model that was trained, by its
/// path or a bundled one's name. Throws trace::Refusal.
std::filesystem::path trainingLog(const std::string& pathOrName);

} // namespace headscope::app
