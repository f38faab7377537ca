#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "model/files/file_descriptor.h"
#include "model/files/file_role.h"

namespace headscope::files {

/// Writes a file atomically: after a crash either the complete old or the complete new content exists. The
/// content goes to a temporary file in the same folder, which replaces the old file once it is on the disk.
/// Symbolic links are followed; the permissions of an existing file are kept. A file that was read in another
/// role is never replaced. Temporary files left in that folder by killed processes are removed. All functions
/// throw trace::Refusal with the path and the system's reason.
class AtomicFile {
  public:
    explicit AtomicFile(const std::filesystem::path& path, FileRole role = FileRole::Output);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile(); ///< without commit() the old file is kept and the temporary one removed

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Replaces the file by the new content. Nothing can be written afterwards.
    void commit();

  private:
    void createTemporary();
    void nameTemporary(const std::function<bool(const std::filesystem::path&)>& give);

    std::filesystem::path target_;
    std::filesystem::path temporary_; ///< empty if the temporary file has no name (O_TMPFILE)
    FileDescriptor descriptor_;
};

/// Throws trace::Refusal unless `target` is a writable regular file or does not exist: rename() would also
/// replace a write-protected file, a file that was read in another role, and anything that is not a file.
void refuseUnlessReplaceable(const std::filesystem::path& target, FileRole role = FileRole::Output);

/// Throws trace::Refusal if AtomicFile could not start writing to `path`. Checks what can be known in advance
/// and writes nothing.
void refuseUnlessSavable(const std::filesystem::path& path);

/// Returns the name of a temporary file or folder of this process; `which` distinguishes several of them.
std::string unfinishedName(std::string_view which);
/// Whether `path` has a name made by unfinishedName(), of this or any other process.
bool isUnfinished(const std::filesystem::path& path);
/// Removes the temporary files and folders (with their contents) of processes that have ended, and of this
/// process, which must not be saving into `folder` at the time. Errors are ignored.
void removeUnfinished(const std::filesystem::path& folder);

void saveAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                    FileRole role = FileRole::Output);
void saveAtomically(const std::filesystem::path& path, std::string_view text,
                    FileRole role = FileRole::Output);

} // namespace headscope::files
