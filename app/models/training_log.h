#pragma once

#include <filesystem>
#include <string>

namespace headscope::app {

/// The view of `render` that shows a training; it is drawn from a log, without a model.
inline constexpr const char* trainingView = "training-curves";

/// Finds a training log, given the file, its folder, or the trained model by path or bundled name. Throws
/// trace::Refusal.
std::filesystem::path trainingLog(const std::string& pathOrName);

} // namespace headscope::app
