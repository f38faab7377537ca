#pragma once

#include "model/engine/engine.h"

#include <filesystem>
#include <vector>

namespace headscope::app {

/// The headscope.json that is read with a model: beside the weights.
std::filesystem::path sidecarOf(const std::filesystem::path& folderOrWeights);

/// Adds settings to a model's headscope.json, which keeps what else it says; the file is replaced whole or
/// not at all. Throws trace::Refusal.
void writeSidecar(const std::filesystem::path& folderOrWeights, const std::vector<engine::Setting>& settings);

} // namespace headscope::app
