#include "model/checkpoint/model_folder.h"

#include "model/files/file_descriptor.h"
#include "model/files/folder.h"
#include "model/files/gguf.h"
#include "model/files/hub_cache.h"
#include "model/files/limited_json.h"
#include "model/files/parallel_parts.h"
#include "model/files/read_file.h"
#include "model/files/snapshot_names.h"
#include "model/files/yaml.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace headscope::checkpoint {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using trace::Refusal;

bool isWeightsName(const fs::path& path) {
    constexpr std::array endings{".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".gguf"};
    if (path.extension() == ".npz") // Marian's, and not any other arrays
        return path.filename().string().find("model") != std::string::npos;
    return std::find(endings.begin(), endings.end(), path.extension()) != endings.end();
}

/// Whether a file is what programs save beside the weights to go on with training.
bool isStateOfTraining(const fs::path& path) {
    constexpr std::array<std::string_view, 8> beginnings{"optimizer",     "scheduler",    "scaler",
                                                         "rng_state",     "sampler",      "dl_state",
                                                         "training_args", "trainer_state"};
    const auto name = path.filename().string();
    return name.find("optim_states") != name.npos || // DeepSpeed's
           std::ranges::any_of(beginnings, [&](std::string_view start) { return name.starts_with(start); });
}

/// The entries of a folder, a limited number of them. Throws trace::Refusal.
std::vector<fs::path> entriesOf(const fs::path& folder) {
    constexpr std::size_t most = 100'000;
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entries.size() < most)
            entries.push_back(entry->path());
    if (error)
        throw Refusal({.what = "The model's folder cannot be read",
                       .where = folder.string(),
                       .expected = "a folder whose files can be listed",
                       .found = error.message(),
                       .wayOut = "check who may read it"});
    return entries;
}

/// Returns the file of a folder with a usual name, else all that may hold weights.
std::vector<fs::path> weightsIn(const fs::path& folder) {
    for (const char* usual : {"model.safetensors", "model.pt", "pytorch_model.bin", "model.npz",
                              "model.safetensors.index.json", "pytorch_model.bin.index.json"})
        if (files::isFile(folder / usual))
            return {folder / usual};
    std::vector<fs::path> candidates;
    for (auto& entry : entriesOf(folder))
        if (isWeightsName(entry) && !isStateOfTraining(entry) && files::isFile(entry))
            candidates.push_back(std::move(entry));
    return candidates;
}

/// Orders numbers within names by their value: checkpoint-500 comes before checkpoint-1000.
bool isBefore(const std::string& one, const std::string& other) {
    const auto key = [](const std::string& name) {
        constexpr std::size_t widest = 20;
        std::string padded, digits;
        for (const char c : name + '\0')
            if (c >= '0' && c <= '9')
                digits += c;
            else {
                padded.append(digits.empty() || digits.size() > widest ? 0 : widest - digits.size(), '0') +=
                    digits + c;
                digits.clear();
            }
        return padded;
    };
    return key(one) < key(other);
}

/// Adds the folders below a folder that hold weights, such as checkpoint-500, down to those that Lightning
/// makes. `left` limits the folders that are looked into: a person may have opened a whole disk.
void addFoldersWithWeights(std::vector<fs::path>& found, const fs::path& folder, int& left, int levels = 3) {
    std::error_code ignored;
    for (const auto& entry : entriesOf(folder)) {
        if (!fs::is_directory(fs::symlink_status(entry, ignored)))
            continue;
        if (--left < 0)
            return;
        try {
            if (!weightsIn(entry).empty())
                found.push_back(entry);
            else if (levels > 1)
                addFoldersWithWeights(found, entry, left, levels - 1);
        } catch (const Refusal&) { // of a folder that a person may not read
        }
    }
}

/// Returns the paths relative to a folder, in the order of their numbers.
std::string namesOf(const std::vector<fs::path>& paths, const fs::path& folder) {
    constexpr std::size_t shown = 20;
    std::vector<std::string> names;
    for (const auto& path : paths)
        names.push_back(path.lexically_relative(folder).string());
    std::ranges::sort(names, isBefore);
    const auto rest = names.size() - std::min(names.size(), shown);
    names.resize(names.size() - rest);
    return trace::joined(names) + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

/// Returns the weights of a folder, or of the only folder in it that holds some.
fs::path chooseWeights(const fs::path& folder) {
    auto candidates = weightsIn(folder);
    const bool areInFolders = candidates.empty();
    if (areInFolders) {
        int mostFolders = 1000;
        addFoldersWithWeights(candidates, folder, mostFolders);
        if (candidates.size() == 1)
            return chooseWeights(candidates.front());
    }
    if (candidates.size() == 1)
        return candidates.front();
    if (!candidates.empty() &&
        (std::ranges::all_of(candidates, files::isParallelPart) || files::arePartsOfOneGguf(candidates)))
        return *std::ranges::min_element(candidates);
    if (candidates.empty())
        throw Refusal(
            {.what = "This folder holds no model",
             .where = folder.string(),
             .expected =
                 "one file ending in .safetensors, .pt, .pth, .ckpt, .bin or .gguf, Marian's model.npz, or "
                 "an index of shards",
             .found = "none",
             .wayOut = "open the folder that the weights lie in"});
    throw Refusal(
        {.what = areInFolders ? "This folder holds several checkpoints" : "This folder holds several models",
         .where = folder.string(),
         .expected = "one of them",
         .found = namesOf(candidates, folder),
         .wayOut =
             areInFolders ? "open one of these folders" : "open one of the files instead of the folder"});
}

/// A model opened by its shard index, or by a file in a snapshot of the hub's cache, is named after the
/// folder, any other file after itself.
bool isNamedAfterFolder(const fs::path& file) {
    return file.filename().string().ends_with(".index.json") ||
           !files::cachedModelName(file.parent_path()).empty();
}

/// Returns the snapshot to open if `folder` is that of a model in the hub's cache, else `folder`.
fs::path chooseSnapshot(const fs::path& folder) {
    const auto cached = files::cachedModel(folder);
    if (!cached)
        return folder;
    if (cached->current)
        return *cached->current;
    std::string names;
    for (const auto& snapshot : cached->snapshots)
        names += (names.empty() ? "" : ", ") + snapshot.filename().string();
    throw Refusal({.what = cached->snapshots.empty() ? "This cached model has no snapshot"
                                                     : "This cached model has several snapshots",
                   .where = (cached->folder / "snapshots").string(),
                   .expected = "one snapshot, or one that refs/main names",
                   .found = cached->snapshots.empty() ? "none" : names,
                   .wayOut = cached->snapshots.empty() ? "download the model again"
                                                       : "open the folder of one snapshot"});
}

/// Returns the folder's name; for a training snapshot preceded by the name of its series, for a snapshot in
/// the hub's cache that of its model.
std::string folderName(const fs::path& folder) {
    if (const auto name = files::cachedModelName(folder); !name.empty())
        return name;
    std::error_code ignored;
    auto whole = fs::absolute(folder, ignored).lexically_normal();
    if (!whole.has_filename())
        whole = whole.parent_path();
    const auto series = files::snapshotStep(whole) ? whole.parent_path().filename().string() : "";
    return (series.empty() ? "" : series + " ") + whole.filename().string();
}

/// Returns an empty value if `path` does not exist. Throws for a pipe, device, folder or dangling link:
/// ignoring it would silently drop part of the model.
std::optional<fs::path> ifThere(const fs::path& path) {
    std::error_code ignored;
    if (fs::symlink_status(path, ignored).type() == fs::file_type::not_found)
        return std::nullopt;
    if (!files::isFile(path))
        files::openForReading(path); // throws with the kind of file
    return path;
}

json readObject(const fs::path& path, files::FileRole role = files::FileRole::Input) {
    json object = readConfiguration(path, role);
    if (!object.is_object())
        throw Refusal({.what = "The model's configuration cannot be read",
                       .where = path.string(),
                       .expected = "a JSON object",
                       .found = object.type_name(),
                       .wayOut = "write it as {\"setting\": value}, or take the file away"});
    return object;
}

[[noreturn]] void refuseType(const std::string& key, const json& value, const std::string& origin) {
    throw Refusal({.what = "The model's setting \"" + key + "\" cannot be used",
                   .where = origin,
                   .expected = Settings::isList(key) ? "a list, or a text with commas"
                                                     : "a text, a number, or true or false",
                   .found = value == ""       ? "an empty text"
                            : value.is_null() ? "null"
                                              : std::string("an ") + value.type_name(),
                   .wayOut = "correct the file, or remove the key"});
}

std::string scalarText(const std::string& key, const json& value, const std::string& origin) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (!value.is_number())
        refuseType(key, value, origin);
    return value.dump();
}

/// Converts an object of numbered entries, {"0": "negative", "1": "positive"}, to a list.
json listOf(const json& object) {
    json list = json::array();
    while (object.contains(std::to_string(list.size())))
        list.push_back(object.at(std::to_string(list.size())));
    return list;
}

/// Converts JSON to the text of a setting: a scalar, or a list as "5,6,7"; a list may be an object of
/// numbered entries. Empty for null (not set).
std::optional<std::string> settingText(const std::string& key, const json& value, const std::string& origin) {
    if (value.is_null())
        return std::nullopt;
    const bool isList = Settings::isList(key);
    if (isList && value.is_object())
        return settingText(key, listOf(value), origin);
    if (isList && value == "")
        refuseType(key, value, origin);
    if (!value.is_array() || !isList)
        return scalarText(key, value, origin);
    std::string list;
    for (const auto& item : value)
        list += (list.empty() ? "" : ",") + scalarText(key, item, origin);
    return value.empty() ? std::string(Settings::noItems) : list;
}

void takeKnownKeys(Settings& settings, const json& object, const std::string& origin) {
    for (const auto& [key, value] : object.items())
        if (Settings::isKnown(key))
            if (const auto text = settingText(key, value, origin + ", \"" + key + "\""))
                settings.set(key, *text, origin);
}

/// Names that people give to the number of heads in the hyperparameters that Lightning saves.
const KeysOfSettings headsInHyperParameters{
    {"heads",
     {"hyper_parameters.heads", "hyper_parameters.n_heads", "hyper_parameters.num_heads",
      "hyper_parameters.nhead", "hyper_parameters.n_head", "hyper_parameters.nheads",
      "hyper_parameters.num_attention_heads", "hyper_parameters.attention_heads"}}};

std::string translated(const std::string& text, const std::string& key, const WordsOfSettings& words) {
    const auto own = words.find(key);
    if (own == words.end())
        return text;
    if (const auto found = own->second.find(text); found != own->second.end())
        return found->second;
    const auto any = own->second.find("*");
    auto pattern = any == own->second.end() ? text : any->second;
    if (const auto star = pattern.find('*'); any != own->second.end() && star != pattern.npos)
        pattern.replace(star, 1, text);
    return pattern;
}

void takeValues(Settings& settings, const std::map<std::string, std::string>& values,
                const KeysOfSettings& keys, const WordsOfSettings& words, const std::string& where) {
    for (const auto& [key, paths] : keys)
        for (const auto& path : paths) {
            const auto found = values.find(path);
            if (found == values.end())
                continue;
            const auto origin = where + ", \"" + path + "\"";
            const json value = json::parse(found->second);
            if (value.is_array() && !Settings::isList(key))
                continue;
            if (const auto text = settingText(key, value, origin)) {
                settings.set(key, translated(*text, key, words), origin);
                break;
            }
        }
}

} // namespace

const json* memberOf(const json& object, const std::string& key) {
    const auto dot = key.find('.');
    const auto found = object.find(key.substr(0, dot));
    if (found == object.end() || dot == key.npos)
        return found == object.end() ? nullptr : &*found;
    return found->is_object() ? memberOf(*found, key.substr(dot + 1)) : nullptr;
}

json readConfiguration(const fs::path& path, files::FileRole role) {
    const auto text = files::readText(path, largestConfig, role);
    return path.extension() == ".yaml" ? files::parseYaml(text, path.string())
                                       : files::parseJson(text, path.string());
}

void findOwnConfiguration(ModelFolder& folder, const std::string& pattern) {
    if (folder.config || pattern.empty())
        return;
    auto name = pattern;
    if (const auto star = name.find('*'); star != name.npos)
        name.replace(star, 1, folder.weights.stem().string());
    folder.config = ifThere(folder.folder / fs::path(name).filename());
}

ModelFolder findModel(const fs::path& path) {
    std::error_code ignored;
    const auto status = fs::status(path, ignored);
    if (!fs::exists(status))
        throw Refusal({.what = "There is no such model",
                       .where = path.string(),
                       .expected = "a folder with a model, or a file of weights",
                       .found = "nothing",
                       .wayOut = "check the path, or give the name of a bundled model"});
    ModelFolder model;
    if (fs::is_directory(status)) {
        const auto opened = chooseSnapshot(path);
        model.weights = chooseWeights(opened);
        model.folder = model.weights.parent_path();
        model.name = folderName(opened);
    } else {
        model.folder = path.parent_path();
        model.weights = path;
        model.name = isNamedAfterFolder(path) ? folderName(model.folder) : path.stem().string();
    }
    if (!files::isGguf(model.weights)) { // which says all of this itself
        model.config = ifThere(model.folder / "config.json");
        if (!model.config)
            model.config = ifThere(model.folder / "params.json"); // of Llama's makers
        model.generation = ifThere(model.folder / "generation_config.json");
    }
    model.sidecar = ifThere(model.folder / "headscope.json");
    model.attribution = ifThere(model.folder / "ATTRIBUTION.txt");
    model.samples = ifThere(model.folder / "samples.txt");
    return model;
}

std::map<std::string, fs::path> linksOf(const ModelFolder& folder,
                                        const std::vector<TokenizerFile>& tokenizerFiles) {
    std::vector<fs::path> files{folder.weights};
    for (const auto& file :
         {folder.config, folder.sidecar, folder.generation, folder.attribution, folder.samples})
        if (file)
            files.push_back(*file);
    for (const auto& file : tokenizerFiles)
        files.push_back(file.path);
    std::map<std::string, fs::path> links;
    std::error_code ignored;
    for (const auto& file : files)
        if (fs::is_symlink(file, ignored))
            links[file.filename().string()] = fs::weakly_canonical(file, ignored);
    return links;
}

trace::RefusalText withoutLinkedContent(trace::RefusalText text, const ModelFolder& folder) {
    std::error_code ignored;
    const auto own = fs::weakly_canonical(folder.folder, ignored);
    const auto store = own.parent_path().parent_path() / "blobs";
    for (fs::directory_iterator entry(folder.folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        if (!entry->is_symlink(ignored) || text.where.find(entry->path().string()) == text.where.npos ||
            isWeightsName(entry->path()))
            continue; // weights are only numbers, so their content may be shown
        const auto target = fs::weakly_canonical(entry->path(), ignored);
        if (target.parent_path() == own || target.parent_path() == store)
            continue;
        text.found = "a link to " + target.string() + ", whose content is not shown";
        text.details.clear();
    }
    return text;
}

ModelFolder findConfiguration(const fs::path& path) {
    if (!files::isFile(path))
        throw Refusal({.what = "There is no such configuration",
                       .where = path.string(),
                       .expected = "a config.json as convert writes it",
                       .found = "no such file",
                       .wayOut = "check the path, or convert a model and change its config.json"});
    return {.name = path.stem().string(), .folder = path.parent_path(), .weights = path, .config = path};
}

std::vector<std::string> ignoredKeys(const ModelFolder& folder,
                                     const std::map<std::string, std::vector<std::string>>& configKeys) {
    std::vector<std::string> ignored;
    if (!folder.config)
        return ignored;
    const auto isTranslated = [&](const std::string& key) {
        return std::ranges::any_of(configKeys, [&](const auto& entry) {
            return std::ranges::any_of(
                entry.second, [&](const auto& known) { return known.substr(0, known.find('.')) == key; });
        });
    };
    const json config = readObject(*folder.config);
    for (const auto& [key, value] : config.items())
        if (!Settings::isKnown(key) && !isTranslated(key))
            ignored.push_back(key);
    return ignored;
}

std::optional<Settings::Value> statedFamily(const ModelFolder& folder) {
    std::optional<Settings::Value> family;
    for (const auto& file : {folder.config, folder.sidecar})
        if (file)
            if (const json object = readObject(*file, file == folder.sidecar ? files::FileRole::ModelSettings
                                                                             : files::FileRole::Input);
                object.contains("family"))
                if (const auto text =
                        settingText("family", object["family"], file->string() + ", \"family\""))
                    family = {*text, file->string()};
    return family;
}

std::optional<Settings::Value> modelType(const ModelFolder& folder) {
    if (!folder.config)
        return std::nullopt;
    const json config = readObject(*folder.config);
    const auto found = config.find("model_type");
    if (found == config.end() || !found->is_string())
        return std::nullopt;
    auto type = found->get<std::string>();
    const auto* const encoder = memberOf(config, "encoder.model_type");
    const auto* const decoder = memberOf(config, "decoder.model_type");
    if (encoder && decoder && encoder->is_string() && decoder->is_string()) // two models made one
        type += ": " + encoder->get<std::string>() + ", " + decoder->get<std::string>();
    return Settings::Value{std::move(type), folder.config->string() + ", \"model_type\""};
}

Settings readSettings(const ModelFolder& folder, const std::map<std::string, std::string>& familyDefaults,
                      const KeysOfSettings& configKeys, const CheckpointValues& checkpoint,
                      const WordsOfSettings& words) {
    Settings settings;
    for (const auto& [key, value] : familyDefaults)
        settings.set(key, value, originOfDefaults);
    takeValues(settings, checkpoint.values, checkpoint.keys, words, folder.weights.string());
    if (!settings.find("heads"))
        takeValues(settings, checkpoint.values, headsInHyperParameters, {}, folder.weights.string());
    if (folder.config) {
        json config = readObject(*folder.config);
        // Models of texts and images keep what is said of the text's network in an object of its own.
        if (const json text = config.value("text_config", json()); text.is_object())
            config.update(text);
        for (const auto& [key, programKeys] : configKeys)
            for (const auto& programKey : programKeys)
                if (const auto* value = memberOf(config, programKey)) {
                    const auto origin = folder.config->string() + ", \"" + programKey + "\"";
                    if (const auto text = settingText(key, *value, origin)) {
                        settings.set(key, translated(*text, key, words), origin);
                        break;
                    }
                }
        takeKnownKeys(settings, config, folder.config->string());
    }
    if (folder.sidecar)
        takeKnownKeys(settings, readObject(*folder.sidecar, files::FileRole::ModelSettings),
                      folder.sidecar->string());
    return settings;
}

std::optional<fs::path> statedFile(const ModelFolder& folder, const Settings& settings,
                                   const std::string& key) {
    const auto stated = settings.find(key);
    if (!stated || stated->text.empty())
        return std::nullopt;
    if (stated->origin.starts_with("--"))
        return fs::path(stated->text);
    // A configuration file is not trusted to refer to files outside its folder.
    const fs::path name(stated->text);
    if (name != name.filename() || name == ".." || name == ".")
        settings.refuse(key, "the plain name of a file in the model's folder");
    return folder.folder / name;
}

std::optional<fs::path> tokenizerFile(const ModelFolder& folder, const Settings& settings) {
    return settings.find("tokenizer") ? statedFile(folder, settings, "tokenizer")
                                      : ifThere(folder.folder / "spm.model");
}

} // namespace headscope::checkpoint
