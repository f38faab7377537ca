#pragma once

#include <filesystem>
#include <vector>

namespace headscope::files {

/// False also for what cannot be examined, such as a link to itself.
bool isFile(const std::filesystem::path& path);

/// Makes a folder, with those above it, that files are to be written into. Throws trace::Refusal where that
/// is not possible, or a folder is there already that may not be written to.
void makeFolder(const std::filesystem::path& folder);

/// The folder and those above it, the innermost one first, as far as they are not there.
std::vector<std::filesystem::path> missingFolders(std::filesystem::path folder);
/// In this order; not where something lies in them.
void removeEmpty(const std::vector<std::filesystem::path>& folders);

/// Of a folder that is made in its lifetime, and of those made above it, removes in the end what is empty:
/// nothing could be written there. What was there before stays.
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
