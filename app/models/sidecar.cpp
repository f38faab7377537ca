#include "app/models/sidecar.h"

#include "model/files/atomic_file.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json readSidecar(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return nlohmann::ordered_json::object();
    const auto text = files::readText(path, files::defaultMaximumTextBytes, files::FileRole::ModelSettings);
    if (!files::parseJson(text, path.string()).is_object()) // checks limits, unlike the parser below
        throw trace::Refusal({.what = "The settings cannot be added to this file",
                              .where = path.string(),
                              .expected = "a JSON object",
                              .found = "something else",
                              .wayOut = "move it out of the way"});
    return nlohmann::ordered_json::parse(text); // keeps the order
}

bool isNumber(const std::string& value) {
    return !value.empty() && value.size() < 19 &&
           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

fs::path sidecarOf(const fs::path& folderOrWeights) {
    std::error_code ignored;
    const bool isFolder = fs::is_directory(folderOrWeights, ignored);
    return (isFolder ? folderOrWeights : folderOrWeights.parent_path()) / "headscope.json";
}

void writeSidecar(const fs::path& folderOrWeights, const std::vector<engine::Setting>& settings) {
    const fs::path path = sidecarOf(folderOrWeights);
    auto object = readSidecar(path);
    for (const auto& [key, value] : settings)
        if (isNumber(value))
            object[key] = std::stoll(value);
        else
            object[key] = value;
    files::saveAtomically(path, object.dump(4) + "\n", files::FileRole::ModelSettings);
}

} // namespace headscope::app
