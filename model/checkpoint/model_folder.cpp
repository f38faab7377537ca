#include "model/checkpoint/model_folder.h"

#include "model/files/folder.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/files/snapshot_names.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace headscope::checkpoint {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using trace::Refusal;

bool isWeightsName(const fs::path& path) {
    constexpr std::array endings{".safetensors", ".pt", ".pth", ".bin"};
    return std::find(endings.begin(), endings.end(), path.extension()) != endings.end();
}

fs::path chooseWeights(const fs::path& folder) {
    for (const char* usual : {"model.safetensors", "model.pt", "pytorch_model.bin",
                              "model.safetensors.index.json", "pytorch_model.bin.index.json"})
        if (files::isFile(folder / usual))
            return folder / usual;
    std::vector<fs::path> candidates;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (isWeightsName(entry->path()) && files::isFile(entry->path()))
            candidates.push_back(entry->path());
    if (error)
        throw Refusal({.what = "The model's folder cannot be read",
                       .where = folder.string(),
                       .expected = "a folder whose files can be listed",
                       .found = error.message(),
                       .wayOut = "check who may read it"});
    if (candidates.size() == 1)
        return candidates.front();
    std::sort(candidates.begin(), candidates.end());
    std::string names;
    for (const auto& candidate : candidates)
        names += (names.empty() ? "" : ", ") + candidate.filename().string();
    throw Refusal(
        {.what = candidates.empty() ? "This folder holds no model" : "This folder holds several models",
         .where = folder.string(),
         .expected = "one file ending in .safetensors, .pt, .pth or .bin, or an index of shards",
         .found = candidates.empty() ? "none" : names,
         .wayOut = candidates.empty() ? "open the folder that the weights lie in"
                                      : "open one of the files instead of the folder"});
}

/// An index of shards stands for its folder; any other file for itself.
bool isShardIndexName(const fs::path& file) {
    return file.filename().string().ends_with(".index.json");
}

/// A snapshot of a training bears the name of its series, too.
std::string folderName(const fs::path& folder) {
    std::error_code ignored;
    auto whole = fs::absolute(folder, ignored).lexically_normal();
    if (!whole.has_filename())
        whole = whole.parent_path();
    const auto series = files::snapshotStep(whole) ? whole.parent_path().filename().string() : "";
    return (series.empty() ? "" : series + " ") + whole.filename().string();
}

std::optional<fs::path> ifThere(const fs::path& path) {
    return files::isFile(path) ? std::optional(path) : std::nullopt;
}

json readObject(const fs::path& path) {
    json object = files::parseJson(files::readText(path, largestConfig), path.string());
    if (!object.is_object())
        throw Refusal({.what = "The model's configuration cannot be read",
                       .where = path.string(),
                       .expected = "a JSON object",
                       .found = object.type_name(),
                       .wayOut = "write it as {\"setting\": value}, or take the file away"});
    return object;
}

/// A setting's text from JSON: a scalar, or a list as "5,6,7". Nothing for null and objects.
std::optional<std::string> settingText(const json& value) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (value.is_number())
        return value.dump();
    if (!value.is_array())
        return std::nullopt;
    std::string list;
    for (const auto& item : value)
        list += (list.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : item.dump());
    return list;
}

void takeKnownKeys(Settings& settings, const json& object, const std::string& origin) {
    for (const auto& [key, value] : object.items())
        if (Settings::isKnown(key))
            if (const auto text = settingText(value))
                settings.set(key, *text, origin);
}

} // namespace

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
        model.folder = path;
        model.weights = chooseWeights(path);
        model.name = folderName(path);
    } else {
        model.folder = path.parent_path();
        model.weights = path;
        model.name = isShardIndexName(path) ? folderName(model.folder) : path.stem().string();
    }
    model.config = ifThere(model.folder / "config.json");
    model.sidecar = ifThere(model.folder / "headscope.json");
    model.generation = ifThere(model.folder / "generation_config.json");
    model.attribution = ifThere(model.folder / "ATTRIBUTION.txt");
    model.samples = ifThere(model.folder / "samples.txt");
    return model;
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
            return std::ranges::find(entry.second, key) != entry.second.end();
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
            if (const json object = readObject(*file);
                object.contains("family") && object["family"].is_string())
                family = {object["family"].get<std::string>(), file->string()};
    return family;
}

Settings readSettings(const ModelFolder& folder, const std::map<std::string, std::string>& familyDefaults,
                      const std::map<std::string, std::vector<std::string>>& configKeys) {
    Settings settings;
    for (const auto& [key, value] : familyDefaults)
        settings.set(key, value, "the family's table");
    if (folder.config) {
        const json config = readObject(*folder.config);
        for (const auto& [key, programKeys] : configKeys)
            for (const auto& programKey : programKeys)
                if (config.contains(programKey)) {
                    if (const auto text = settingText(config.at(programKey)))
                        settings.set(key, *text, folder.config->string() + ", \"" + programKey + "\"");
                    break;
                }
        takeKnownKeys(settings, config, folder.config->string());
    }
    if (folder.sidecar)
        takeKnownKeys(settings, readObject(*folder.sidecar), folder.sidecar->string());
    return settings;
}

std::optional<fs::path> statedFile(const ModelFolder& folder, const Settings& settings,
                                   const std::string& key) {
    const auto stated = settings.find(key);
    if (!stated || stated->text.empty())
        return std::nullopt;
    if (stated->origin.starts_with("--"))
        return fs::path(stated->text);
    // What a file names is not trusted to leave the file's folder.
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
