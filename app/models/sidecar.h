#pragma once

#include "model/engine/engine.h"

#include <filesystem>
#include <vector>

namespace headscope::app {

/// Returns the path of a model's headscope.json, which is next to the weights.
std::filesystem::path sidecarOf(const std::filesystem::path& folderOrWeights);

/// Adds settings to a model's headscope.json and keeps its other content. The file is replaced atomically.
/// Throws trace::Refusal.
void writeSidecar(const std::filesystem::path& folderOrWeights, const std::vector<engine::Setting>& settings);

} // namespace headscope::app
