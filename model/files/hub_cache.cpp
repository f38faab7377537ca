#include "model/files/hub_cache.h"

#include "model/files/read_file.h"

#include <algorithm>
#include <cstdlib>

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

/// As Hugging Face's programs read the paths of their variables; empty if it is not set.
fs::path pathIn(const char* variable) {
    const char* value = std::getenv(variable);
    const std::string_view text = value ? value : "";
    const char* home = std::getenv("HOME");
    return text.starts_with("~/") ? fs::path(home ? home : "") / text.substr(2) : fs::path(text);
}

fs::path hubCache() {
    for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) // the second is its older name
        if (auto cache = pathIn(variable); !cache.empty())
            return cache;
    if (const auto home = pathIn("HF_HOME"); !home.empty())
        return home / "hub";
    const auto caches = pathIn("XDG_CACHE_HOME");
    return (caches.empty() ? pathIn("HOME") / ".cache" : caches) / "huggingface" / "hub";
}

/// One of the two parts of a name.
bool isHubPart(std::string_view part) {
    constexpr std::size_t longest = 96;
    const auto isWord = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !part.empty() && part.size() <= longest && isWord(part.front()) && isWord(part.back()) &&
           part.find("--") == part.npos && part.find("..") == part.npos &&
           std::ranges::all_of(part, [&](char c) { return isWord(c) || c == '-' || c == '.'; });
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

bool isHubName(std::string_view text) {
    const auto slash = text.find('/');
    return slash != text.npos && isHubPart(text.substr(0, slash)) && isHubPart(text.substr(slash + 1));
}

fs::path hubFolder(const std::string& name) {
    auto folder = std::string(modelPrefix) + name;
    if (const auto slash = folder.find('/'); slash != folder.npos)
        folder.replace(slash, 1, "--");
    return wholePath(hubCache() / folder);
}

std::string hubNameOf(const fs::path& path) {
    std::string name;
    for (const auto& part : wholePath(path))
        if (part.string().starts_with(modelPrefix))
            name = part.string().substr(modelPrefix.size());
    if (const auto afterOwner = name.find("--"); afterOwner != name.npos)
        name.replace(afterOwner, 2, "/");
    return name;
}

std::string howToDownload(const fs::path& path) {
    const auto name = hubNameOf(path);
    return name.empty() ? name : "download it with Hugging Face's program: hf download " + name;
}

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
    if (!isHubName(name) && !isHubPart(name)) // models of the hub's first years have no owner
        return std::nullopt;
    const auto folder = hubFolder(name);
    return isCached(folder) ? std::optional(folder) : std::nullopt;
}

std::string cachedModelName(const fs::path& folder) {
    const auto snapshots = wholePath(folder).parent_path();
    if (snapshots.filename() != snapshotsName || !isCached(snapshots.parent_path()))
        return {};
    return hubNameOf(snapshots.parent_path());
}

} // namespace headscope::files
