#include "app/models/resource_folders.h"
#include "app/sessions/session.h"
#include "app/version.h"
#include "model/files/atomic_file.h"
#include "model/files/read_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longestSession = std::uint64_t{16} << 20;
constexpr int mostLevelsUp = 2;

fs::path folderOf(const fs::path& file) {
    std::error_code error; // the current directory may have been removed
    const auto absolute = fs::absolute(file, error);
    return (error ? file : absolute).lexically_normal().parent_path();
}

/// Returns the path relative to the session's folder, unless it leads more than `mostLevelsUp` levels up or
/// through the root.
std::string fromFolder(const fs::path& path, const fs::path& folder) {
    const auto relative = path.lexically_normal().lexically_relative(folder);
    const auto up = std::count(relative.begin(), relative.end(), fs::path(".."));
    const auto inside = folder.relative_path(); // without the root
    const auto depth = std::distance(inside.begin(), inside.end());
    return relative.empty() || up > mostLevelsUp || up >= depth ? path.string() : relative.string();
}

ModelReference written(ModelReference model, const fs::path& folder) {
    if (model.path.empty())
        return model;
    if (const auto name = nameOfModel(fs::path(model.path).lexically_normal()); name != model.path) {
        model.path = name.string();
        model.bundled = true;
        return model;
    }
    model.path = fromFolder(model.path, folder);
    return model;
}

/// Resolves a path from a file. Missing models are reported by the window.
std::string fromFile(const std::string& path, const fs::path& folder) {
    return fs::path(path).is_absolute() ? path : (folder / path).lexically_normal().string();
}

/// Resolves the name of a bundled model; it cannot lead outside the folder of bundled models.
std::string bundledPath(const fs::path& name) {
    const bool leadsOut = name.is_absolute() || std::ranges::find(name, fs::path("..")) != name.end();
    return resolveModel(bundledModel((leadsOut ? name.filename() : name).string()).string()).string();
}

ModelReference read(ModelReference model, const fs::path& folder) {
    if (model.path.empty())
        return model;
    model.path = std::exchange(model.bundled, false) ? bundledPath(model.path) : fromFile(model.path, folder);
    return model;
}

/// Resolves the second model. A path relative to the session takes precedence over a bundled model's name.
std::string otherFromFile(const std::string& path, const fs::path& folder) {
    const auto beside = fromFile(path, folder);
    std::error_code ignored;
    const bool isName = fs::path(path).filename() == path && fs::exists(bundledModel(path), ignored);
    return isName && !fs::exists(beside, ignored) ? path : beside;
}

} // namespace

void saveSession(const SessionState& state, const fs::path& path) {
    auto said = state;
    said.model = written(state.model, folderOf(path));
    if (const auto other = otherModelOf(state); !other.empty())
        setOtherModel(said, fromFolder(other, folderOf(path)));
    files::saveAtomically(path, std::string_view(sessionText(said, "Headscope " + std::string(version()))),
                          files::FileRole::Session);
}

SessionState readSession(const fs::path& path) {
    auto state = parseSession(files::readText(path, longestSession, files::FileRole::Session), path.string());
    state.model = read(std::move(state.model), folderOf(path));
    if (const auto other = otherModelOf(state); !other.empty())
        setOtherModel(state, otherFromFile(other, folderOf(path)));
    return state;
}

} // namespace headscope::app
