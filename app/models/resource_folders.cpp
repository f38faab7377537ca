#include "app/models/resource_folders.h"

#include "app/models/model_series.h"
#include "model/files/hub_cache.h"
#include "model/files/snapshot_names.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* firstModel = "tatoeba-en-de";

fs::path programFolder() {
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

/// Returns the first candidate that exists, or the last one.
fs::path firstThere(const std::vector<fs::path>& candidates) {
    std::error_code ignored;
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const auto& path) { return fs::exists(path, ignored); });
    return found == candidates.end() ? candidates.back() : *found;
}

} // namespace

fs::path resourceFolder() {
    return firstThere({programFolder() / ".." / "share" / "headscope", fs::path(HEADSCOPE_SOURCE_RESOURCES)})
        .lexically_normal();
}

fs::path manualFolder() {
    return resourceFolder() / "manual";
}

fs::path personalFolder() {
    if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data)
        return fs::path(data) / "headscope";
    const char* home = std::getenv("HOME");
    return fs::path(home ? home : "") / ".local" / "share" / "headscope";
}

std::vector<fs::path> familyFolders() {
    return {resourceFolder() / "families", personalFolder() / "families"};
}

namespace {

fs::path moduleNamed(const fs::path& name) {
    return firstThere({programFolder() / ".." / HEADSCOPE_LIBRARY_FOLDER / "headscope" / name,
                       programFolder() / ".." / "lib" / "headscope" / name})
        .lexically_normal();
}

} // namespace

fs::path engineModule() {
    return moduleNamed("libheadscope_engine.so");
}

fs::path picturesModule() {
    return moduleNamed("libheadscope_pictures.so");
}

fs::path commandLineProgram() {
    return firstThere({programFolder() / "headscope-cli", programFolder() / ".." / "bin" / "headscope-cli"})
        .lexically_normal();
}

fs::path bundledModel(const std::string& name) {
    return resourceFolder() / "models" / name;
}

fs::path modelOrSeries(const std::string& pathOrName) {
    std::error_code ignored;
    if (!fs::exists(pathOrName, ignored)) {
        const auto bundled = bundledModels();
        const auto name = pathOrName.substr(0, pathOrName.find('/'));
        if (std::ranges::find(bundled, name) != bundled.end())
            return bundledModel(pathOrName);
    }
    return pathOrName;
}

fs::path resolveModel(const std::string& pathOrName) {
    auto named = modelOrSeries(pathOrName);
    if (std::error_code ignored; named == pathOrName && !fs::exists(named, ignored)) {
        if (files::isHubName(pathOrName))
            named = files::hubFolder(pathOrName);
        else if (const auto ofFirstYears = files::cachedModelNamed(pathOrName)) // "gpt2", without an owner
            named = *ofFirstYears;
    }
    if (const auto cached = files::cachedModel(named))
        return cached->current.value_or(named);
    const auto series = modelSeries(named);
    // A snapshot that does not exist must not be replaced by another one.
    return series && !files::snapshotStep(named) ? series->snapshots.back().folder : named;
}

fs::path nameOfModel(const fs::path& path) {
    const auto name = path.lexically_relative(resourceFolder() / "models");
    const auto bundled = bundledModels();
    return !name.empty() && std::ranges::find(bundled, name.begin()->string()) != bundled.end() ? name : path;
}

std::vector<std::string> bundledModels() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (fs::directory_iterator entry(resourceFolder() / "models", ignored), end; entry != end;
         entry.increment(ignored))
        if (entry->is_directory(ignored))
            names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
        return std::pair(a != firstModel, a) < std::pair(b != firstModel, b);
    });
    return names;
}

namespace {

std::vector<std::string> linesOf(const char* sample) {
    std::ifstream file(resourceFolder() / "samples" / sample);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (!line.empty())
            lines.push_back(line);
    return lines;
}

} // namespace

std::vector<std::string> sampleSentences() {
    auto lines = linesOf("sentences.en.txt");
    for (auto& line : lines)
        line.resize(std::min(line.size(), line.find('\t')));
    return lines;
}

std::vector<std::string> samplePhenomena() {
    auto lines = linesOf("sentences.en.txt");
    for (auto& line : lines)
        line.erase(0, std::min(line.size(), line.find('\t')) + 1);
    return lines;
}

std::vector<std::string> sampleCorpus() {
    return linesOf("corpus.en.txt");
}

} // namespace headscope::app
