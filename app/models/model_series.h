#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// A model as it was after so many steps of its training.
struct Snapshot {
    std::int64_t step = 0;
    std::filesystem::path folder;
};

/// One model at several moments of its training: a folder whose folders are called step-N, as `train` keeps
/// them.
struct ModelSeries {
    std::filesystem::path folder;
    std::vector<Snapshot> snapshots; ///< two at least, in the order of their steps

    /// Which snapshot the path is; nothing for one of another folder.
    std::optional<std::size_t> at(const std::filesystem::path& path) const;
};

/// The series that a path is, or is a snapshot of; nothing where it is a model of its own.
std::optional<ModelSeries> modelSeries(const std::filesystem::path& path);

} // namespace headscope::app
