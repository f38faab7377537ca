#pragma once

#include <filesystem>

namespace headscope::tests {

/// A path that nothing lies at any more: a process never replaces a file that it has read itself, and tests
/// save under a name again that they have read.
inline const std::filesystem::path& newFile(const std::filesystem::path& path) {
    std::filesystem::remove(path);
    return path;
}

/// The files of a folder as another process finds them, which has read none of them.
inline void asForAnotherProcess(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored)) {
        if (!entry.is_regular_file() || entry.is_symlink() ||
            entry.file_size() == 0) // an empty one is a lock
            continue;
        const auto time = entry.last_write_time();
        const auto copy = entry.path().string() + ".copy";
        std::filesystem::copy_file(entry.path(), copy);
        std::filesystem::last_write_time(copy, time);
        std::filesystem::rename(copy, entry.path());
    }
}

} // namespace headscope::tests
