#include "app/models/bundled_models.h"

#include "app/models/resource_folders.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

#include <algorithm>

namespace headscope::app {

namespace {

BundledModel plain(const std::string& name) {
    return {.name = name,
            .opens = name,
            .title = name,
            .says = {},
            .size = {},
            .score = {},
            .badge = {},
            .thumbnail = bundledModel(name) / "thumbnail.png"};
}

std::vector<BundledModel> inFile() {
    const auto path = bundledModel("models.json");
    const auto where = path.string();
    std::vector<BundledModel> models;
    for (const auto& each : files::parseJson(files::readText(path), where)) {
        const auto text = [&](const char* key, const std::string& otherwise) {
            return files::stringAt(each, key, where, otherwise);
        };
        auto model = plain(files::stringAt(each, "model", where));
        if (const auto snapshot = text("opens", {}); !snapshot.empty())
            model.opens += '/' + snapshot;
        model.title = text("title", model.name);
        model.says = files::stringAt(each, "says", where);
        model.size = text("size", {});
        model.score = text("score", {});
        model.badge = text("badge", {});
        model.isToy = files::booleanAt(each, "toy", where, false);
        models.push_back(std::move(model));
    }
    return models;
}

} // namespace

std::vector<BundledModel> introducedModels() {
    const auto names = bundledModels();
    std::vector<BundledModel> models;
    try {
        models = inFile();
    } catch (const trace::Refusal&) { // the models open without an introduction
    }
    std::erase_if(models, [&](const auto& model) { return std::ranges::count(names, model.name) == 0; });
    for (const auto& name : names)
        if (std::ranges::count(models, name, &BundledModel::name) == 0)
            models.push_back(plain(name));
    return models;
}

std::string openingOf(const std::string& pathOrName) {
    const auto models = introducedModels();
    const auto found = std::ranges::find(models, pathOrName, &BundledModel::name);
    return found == models.end() ? pathOrName : found->opens;
}

} // namespace headscope::app
