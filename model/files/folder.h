#pragma once

#include <filesystem>
#include <vector>

namespace headscope::files {

/// Makes a folder, with those above it, that files are to be written into. Throws trace::Refusal where that
/// is not possible, or a folder is there already that may not be written to.
void makeFolder(const std::filesystem::path& folder);

/// Of a folder that is made in its lifetime, and of those made above it, removes in the end what is empty:
/// nothing could be written there. What was there before stays.
class NewFolder {
  public:
    explicit NewFolder(std::filesystem::path folder);
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder();

  private:
    std::vector<std::filesystem::path> missing_; ///< at first; the innermost one first
};

} // namespace headscope::files
