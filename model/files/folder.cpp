#include "model/files/folder.h"

#include "model/files/file_descriptor.h"

#include <system_error>

#include <unistd.h>

namespace headscope::files {

bool isFile(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

void makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && ::access(folder.c_str(), W_OK | X_OK) != 0)
        error.assign(errno, std::generic_category());
    if (error)
        throw trace::Refusal({.what = "This folder cannot be written to",
                              .where = folder.string(),
                              .expected = "a folder, or a place where one can be made",
                              .found = error.message(),
                              .wayOut = "choose a folder that may be written to"});
}

std::vector<std::filesystem::path> missingFolders(std::filesystem::path folder) {
    std::vector<std::filesystem::path> missing;
    std::error_code ignored; // a folder that cannot be examined counts as existing
    while (!folder.empty() &&
           std::filesystem::symlink_status(folder, ignored).type() == std::filesystem::file_type::not_found) {
        missing.push_back(folder);
        folder = folder.parent_path();
    }
    return missing;
}

void removeEmpty(const std::vector<std::filesystem::path>& folders) {
    for (const auto& folder : folders)
        ::rmdir(folder.c_str());
}

} // namespace headscope::files
