#pragma once

#include <filesystem>
#include <string>

namespace headscope::app {

/// Finds a training log, given the file, its folder, or the trained model or its snapshots by path or bundled
/// name. Throws trace::Refusal.
std::filesystem::path trainingLog(const std::string& pathOrName);

} // namespace headscope::app
