#include "app/models/model_series.h"

#include "model/files/snapshot_names.h"

#include <algorithm>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

/// Removes a trailing slash.
fs::path plainly(const fs::path& path) {
    auto normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

} // namespace

std::optional<std::size_t> ModelSeries::at(const fs::path& path) const {
    const auto found = std::ranges::find(snapshots, plainly(path), &Snapshot::folder);
    return found == snapshots.end() ? std::nullopt : std::optional<std::size_t>(found - snapshots.begin());
}

std::optional<ModelSeries> modelSeries(const fs::path& path) {
    const auto named = plainly(path);
    ModelSeries series{.folder = files::snapshotStep(named) ? named.parent_path() : named};
    std::error_code ignored;
    for (fs::directory_iterator entry(series.folder, ignored), end; entry != end; entry.increment(ignored))
        if (const auto step = files::snapshotStep(entry->path()); step && entry->is_directory(ignored))
            series.snapshots.push_back({*step, entry->path()});
    if (series.snapshots.size() < 2 || fs::exists(series.folder / "config.json", ignored))
        return std::nullopt;
    std::ranges::sort(series.snapshots, {}, &Snapshot::step);
    return series;
}

} // namespace headscope::app
