#pragma once

#include "model/checkpoint/settings.h"
#include "model/trace/refusal.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Bytes of a configuration in JSON; larger ones are refused.
inline constexpr std::uint64_t largestConfig = 16u << 20;

/// A file that a tokenizer needs, and the setting that names it; none where its own name tells what it is.
struct TokenizerFile {
    std::string setting;
    std::filesystem::path path;
};

/// The files that make up one model.
struct ModelFolder {
    std::string name;                                 ///< of the folder, or of the file without its ending
    std::filesystem::path folder;                     ///< where the neighbours of the weights lie
    std::filesystem::path weights;                    ///< a file of tensors, or the index of a sharded one
    std::optional<std::filesystem::path> config;      ///< config.json, as the training program wrote it
    std::optional<std::filesystem::path> sidecar;     ///< headscope.json, what a person added
    std::optional<std::filesystem::path> generation;  ///< generation_config.json, how it is to be decoded
    std::optional<std::filesystem::path> attribution; ///< ATTRIBUTION.txt, of the training data
    std::optional<std::filesystem::path> samples;     ///< samples.txt, a sentence a line
};

/// Looks at a folder, a weights file or an index of shards. In a folder a single file of a usual name wins
/// over an index. Throws trace::Refusal if there are no weights, or several to choose from.
ModelFolder findModel(const std::filesystem::path& path);

/// Targets of those of the model's files that are symbolic links, by name.
std::map<std::string, std::filesystem::path> linksOf(const ModelFolder& folder,
                                                     const std::vector<TokenizerFile>& tokenizerFiles);

/// What a refusal may say of a file that a link out of the model's folder led to: where it leads, and nothing
/// of its content. Links into the store of a hub's cache (`snapshots/HASH/NAME` to `blobs/HASH`) are the
/// model's.
trace::RefusalText withoutLinkedContent(trace::RefusalText text, const ModelFolder& folder);

/// A config.json alone, without weights. Throws trace::Refusal if there is no such file.
ModelFolder findConfiguration(const std::filesystem::path& path);

/// Keys of config.json that neither this program nor the family (Family::configKeys) gives a meaning.
std::vector<std::string> ignoredKeys(const ModelFolder& folder,
                                     const std::map<std::string, std::vector<std::string>>& configKeys);

/// What config.json and headscope.json say, as settings; keys of the training program are translated by
/// `configKeys` (Family::configKeys). Keys that mean nothing here are left alone. Throws trace::Refusal.
Settings readSettings(const ModelFolder& folder, const std::map<std::string, std::string>& familyDefaults,
                      const std::map<std::string, std::vector<std::string>>& configKeys);

/// "family" as the folder's files say it.
std::optional<Settings::Value> statedFamily(const ModelFolder& folder);

/// The file that a setting names: a plain name inside the folder, or a path a person gave. Nothing if the
/// setting is missing or empty. Throws trace::Refusal for other names in files.
std::optional<std::filesystem::path> statedFile(const ModelFolder& folder, const Settings& settings,
                                                const std::string& key);

/// The SentencePiece model that the setting `tokenizer` names, or spm.model where it lies in the folder.
std::optional<std::filesystem::path> tokenizerFile(const ModelFolder& folder, const Settings& settings);

} // namespace headscope::checkpoint
