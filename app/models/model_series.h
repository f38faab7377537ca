#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// A model after a number of training steps.
struct Snapshot {
    std::int64_t step = 0;
    std::filesystem::path folder;
};

/// Snapshots of one model during training: a folder with subfolders step-N, as written by `train`.
struct ModelSeries {
    std::filesystem::path folder;
    std::vector<Snapshot> snapshots; ///< at least two, in ascending order of steps

    /// Returns the index of the snapshot at `path`; empty if it is in another folder.
    std::optional<std::size_t> at(const std::filesystem::path& path) const;
};

/// Returns the series at `path`, or of which `path` is a snapshot; empty for a single model.
std::optional<ModelSeries> modelSeries(const std::filesystem::path& path);

} // namespace headscope::app
