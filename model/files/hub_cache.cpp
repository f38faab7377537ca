#include "model/files/hub_cache.h"

#include "model/files/read_file.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headscope::files {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view modelPrefix = "models--";
constexpr std::string_view snapshotsName = "snapshots";

/// Returns the path with its own name at the end, whatever the current folder.
fs::path wholePath(const fs::path& path) {
    std::error_code error;
    const auto absolute = fs::absolute(path, error);
    const auto whole = (error ? path : absolute).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

bool isCached(const fs::path& folder) {
    std::error_code ignored;
    return folder.filename().string().starts_with(modelPrefix) &&
           fs::is_directory(folder / snapshotsName, ignored);
}

/// Returns the snapshot that the branch "main" names; empty if there is no such snapshot or no refs/main.
std::optional<fs::path> mainSnapshot(const CachedModel& model) {
    constexpr std::uint64_t longestName = 4096;
    const auto reference = model.folder / "refs" / "main";
    if (std::error_code ignored; !fs::is_regular_file(reference, ignored))
        return std::nullopt;
    std::string name = readText(reference, longestName);
    name.erase(name.find_last_not_of(" \r\n") + 1);
    const auto found = std::ranges::find(model.snapshots, fs::path(name), &fs::path::filename);
    return found == model.snapshots.end() ? std::nullopt : std::optional(*found);
}

} // namespace

std::optional<CachedModel> cachedModel(const fs::path& path) {
    auto folder = wholePath(path);
    if (folder.filename() == snapshotsName)
        folder = folder.parent_path();
    if (!isCached(folder))
        return std::nullopt;
    CachedModel model{.folder = folder, .snapshots = {}, .current = {}};
    std::error_code ignored;
    for (fs::directory_iterator entry(folder / snapshotsName, ignored), end; entry != end;
         entry.increment(ignored))
        if (entry->is_directory(ignored))
            model.snapshots.push_back(entry->path());
    std::ranges::sort(model.snapshots);
    model.current = mainSnapshot(model);
    if (!model.current && model.snapshots.size() == 1)
        model.current = model.snapshots.front();
    return model;
}

std::optional<fs::path> cachedModelNamed(const std::string& name) {
    const auto slash = name.find('/');
    const bool isName =
        !name.empty() && slash == name.rfind('/') && slash != 0 && name.find("..") == name.npos;
    if (!isName)
        return std::nullopt;
    const auto folder = std::string(modelPrefix) +
                        (slash == name.npos ? name : name.substr(0, slash) + "--" + name.substr(slash + 1));
    // The variables of Hugging Face's own programs, and the folder below each.
    for (const auto& [variable, below] :
         {std::pair("HF_HUB_CACHE", ""), std::pair("HF_HOME", "hub"),
          std::pair("XDG_CACHE_HOME", "huggingface/hub"), std::pair("HOME", ".cache/huggingface/hub")}) {
        const char* const value = std::getenv(variable);
        if (value && *value && isCached(fs::path(value) / below / folder))
            return fs::path(value) / below / folder;
    }
    return std::nullopt;
}

std::string cachedModelName(const fs::path& folder) {
    const auto snapshots = wholePath(folder).parent_path();
    if (snapshots.filename() != snapshotsName || !isCached(snapshots.parent_path()))
        return {};
    const auto name = snapshots.parent_path().filename().string().substr(modelPrefix.size());
    const auto afterOwner = name.find("--");
    return afterOwner == name.npos ? name : name.substr(afterOwner + 2);
}

} // namespace headscope::files
