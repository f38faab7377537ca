#pragma once

#include "model/checkpoint/settings.h"
#include "model/files/file_role.h"
#include "model/trace/refusal.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Origin of the settings that a family's table fixes.
inline const std::string originOfDefaults = "the family's table";

/// Maximum size of a JSON configuration in bytes.
inline constexpr std::uint64_t largestConfig = 16u << 20;

/// A file of a tokenizer, and the setting that refers to it; empty if the file is found by its own name.
struct TokenizerFile {
    std::string setting;
    std::filesystem::path path;
    std::optional<std::string> text{}; ///< what is saved under that name, if it is a part of another file
    std::filesystem::path folder{};    ///< that it is saved to, in the model's; empty: the model's itself
};

/// The files that make up one model.
struct ModelFolder {
    std::string name;                                 ///< of the folder, or of the file without its extension
    std::filesystem::path folder;                     ///< the folder that contains the weights
    std::filesystem::path weights;                    ///< a tensor file, or the index of a sharded checkpoint
    std::optional<std::filesystem::path> config;      ///< config.json or params.json, of the training program
    std::optional<std::filesystem::path> sidecar;     ///< headscope.json, settings added by the user
    std::optional<std::filesystem::path> generation;  ///< generation_config.json, decoding defaults
    std::optional<std::filesystem::path> attribution; ///< ATTRIBUTION.txt, attribution of the training data
    std::optional<std::filesystem::path> samples;     ///< samples.txt, one sentence per line
};

/// `path` is a folder, a weights file or a shard index; or a model in the cache of Hugging Face's hub,
/// models--ORG--NAME or its folder snapshots, whose main or only snapshot is opened. In a folder a single
/// file with a usual name takes precedence over an index. Throws trace::Refusal if there are no weights, or
/// several candidates.
ModelFolder findModel(const std::filesystem::path& path);

/// Returns the targets of the model's files that are symbolic links, by file name.
std::map<std::string, std::filesystem::path> linksOf(const ModelFolder& folder,
                                                     const std::vector<TokenizerFile>& tokenizerFiles);

/// Removes the content of files outside the model's folder from an error message: if a link led to the file,
/// only the link's target is named. Links into the blob store of a Hugging Face cache (`snapshots/HASH/NAME`
/// to `blobs/HASH`) count as inside.
trace::RefusalText withoutLinkedContent(trace::RefusalText text, const ModelFolder& folder);

/// Returns a model that consists of a config.json only. Throws trace::Refusal if the file does not exist.
ModelFolder findConfiguration(const std::filesystem::path& path);

/// Returns the keys of config.json that neither Settings nor the family (Family::configKeys) knows.
std::vector<std::string> ignoredKeys(const ModelFolder& folder,
                                     const std::map<std::string, std::vector<std::string>>& configKeys);

using KeysOfSettings = std::map<std::string, std::vector<std::string>>; ///< in another program, by setting
/// What a checkpoint holds beside its tensors (files::TensorFile::values), and which of it are settings.
struct CheckpointValues {
    std::map<std::string, std::string> values;
    KeysOfSettings keys;
};

using WordsOfSettings = std::map<std::string, std::map<std::string, std::string>>; ///< Family::words

/// Returns the value of a key, or of a key within an object for "object.key"; null if there is none.
const nlohmann::json* memberOf(const nlohmann::json& object, const std::string& key);

/// Reads a configuration: JSON, or YAML if its name ends in .yaml. Throws trace::Refusal.
nlohmann::json readConfiguration(const std::filesystem::path& path,
                                 files::FileRole role = files::FileRole::Input);
/// Takes the file of this name (Family::configFile) for the configuration of a folder without config.json.
void findOwnConfiguration(ModelFolder& folder, const std::string& pattern);

/// Reads the settings from the checkpoint, config.json and headscope.json; the later take precedence. Keys of
/// the training program are translated by `configKeys` (Family::configKeys), what they say by `words`;
/// unknown keys are ignored. Throws trace::Refusal.
Settings readSettings(const ModelFolder& folder, const std::map<std::string, std::string>& familyDefaults,
                      const KeysOfSettings& configKeys, const CheckpointValues& checkpoint = {},
                      const WordsOfSettings& words = {});

/// Returns the value of "family" in headscope.json or config.json.
std::optional<Settings::Value> statedFamily(const ModelFolder& folder);
/// Returns the "model_type" that transformers writes into its config.json.
std::optional<Settings::Value> modelType(const ModelFolder& folder);

/// Returns the file named by a setting: any path if it comes from the command line, otherwise a plain file
/// name inside the folder. Empty if the setting is missing or empty. Throws trace::Refusal if a configuration
/// file names anything but a plain name.
std::optional<std::filesystem::path> statedFile(const ModelFolder& folder, const Settings& settings,
                                                const std::string& key);

/// Returns the SentencePiece model named by the setting `tokenizer`; without the setting, spm.model if it
/// exists in the folder.
std::optional<std::filesystem::path> tokenizerFile(const ModelFolder& folder, const Settings& settings);

} // namespace headscope::checkpoint
