#pragma once

#include "model/checkpoint/settings.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// The files that make up one model.
struct ModelFolder {
    std::string name;             ///< of the folder, or of the file without its ending
    std::filesystem::path folder; ///< where the neighbours of the weights lie
    std::filesystem::path weights;
    std::optional<std::filesystem::path> config;      ///< config.json, as the training program wrote it
    std::optional<std::filesystem::path> sidecar;     ///< headscope.json, what a person added
    std::optional<std::filesystem::path> attribution; ///< ATTRIBUTION.txt, of the training data
};

/// Looks at a folder or a weights file. Throws trace::Refusal if there are no weights, or several to choose
/// from.
ModelFolder findModel(const std::filesystem::path& path);

/// What config.json and headscope.json say, as settings; keys of the training program are translated by
/// `configKeys` (Family::configKeys). Keys that mean nothing here are left alone. Throws trace::Refusal.
Settings readSettings(const ModelFolder& folder, const std::map<std::string, std::string>& familyDefaults,
                      const std::map<std::string, std::vector<std::string>>& configKeys);

/// "family" as the folder's files say it.
std::optional<Settings::Value> statedFamily(const ModelFolder& folder);

/// The tokenizer's file, if the model has one: a plain name inside the folder, or a path a person gave.
std::optional<std::filesystem::path> tokenizerFile(const ModelFolder& folder, const Settings& settings);

} // namespace headscope::checkpoint
