#include "model/checkpoint/model_folder.h"

#include "model/files/file_descriptor.h"
#include "model/files/folder.h"
#include "model/files/gguf.h"
#include "model/files/hub_cache.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/files/snapshot_names.h"
#include "model/files/weights_search.h"
#include "model/files/yaml.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace headscope::checkpoint {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using trace::Refusal;

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
                   .wayOut = cached->snapshots.empty() ? files::howToDownload(cached->folder)
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
    const auto hubName = fs::exists(status) ? std::string() : files::hubNameOf(path);
    if (!hubName.empty())
        throw Refusal(
            {.what = "There is no such model",
             .where = hubName,
             .expected = "a path, the name of a bundled model, or a model in Hugging Face's cache, " +
                         path.parent_path().string(),
             .found = "none of them",
             .wayOut = "check the name, or " + files::howToDownload(path)});
    if (!fs::exists(status))
        throw Refusal({.what = "There is no such model",
                       .where = path.string(),
                       .expected = "a folder with a model, or a file of weights",
                       .found = "nothing",
                       .wayOut = "check the path, or give the name of a bundled model"});
    ModelFolder model;
    if (fs::is_directory(status)) {
        const auto opened = chooseSnapshot(path);
        model.weights = files::weightsOf(opened);
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
            files::isWeightsName(entry->path()))
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
