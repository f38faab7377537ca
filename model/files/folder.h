#pragma once

#include <filesystem>
#include <vector>

namespace headscope::files {

/// Whether `path` is a regular file. False if it cannot be examined, such as a link to itself.
bool isFile(const std::filesystem::path& path);

/// Creates a folder and its parents. Throws trace::Refusal if that fails or the folder is not writable.
void makeFolder(const std::filesystem::path& folder);

/// Returns `folder` and those of its parents that do not exist, innermost first.
std::vector<std::filesystem::path> missingFolders(std::filesystem::path folder);
/// Removes the empty ones among `folders`, in the given order. Errors are ignored.
void removeEmpty(const std::vector<std::filesystem::path>& folders);

/// Guard for a folder that is about to be created. The destructor removes the folder and the parents created
/// with it if they are still empty because nothing could be written. Folders that existed before are kept.
class NewFolder {
  public:
    explicit NewFolder(const std::filesystem::path& folder) : missing_(missingFolders(folder)) {}
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder() { removeEmpty(missing_); }

  private:
    std::vector<std::filesystem::path> missing_;
};

} // namespace headscope::files
