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

/// Writes a file so that, whatever happens, either the old or the new content is there as a whole: into a
/// temporary file in the same folder, which takes the place of the old one only when all of it is on the
/// disk. Symbolic links are followed to the file they name; the permissions of an existing file are kept. A
/// file that was read in another role is not replaced. What programs that were killed left in that folder is
/// removed. Everything throws trace::Refusal with the path and the system's reason.
class AtomicFile {
  public:
    explicit AtomicFile(const std::filesystem::path& path, FileRole role = FileRole::Output);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile(); ///< without commit() the old file stays and the temporary one is removed

    /// Any memory, also such that is made when it is looked at.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Makes the new content the file. Nothing can be written afterwards.
    void commit();

  private:
    void createTemporary();
    void nameTemporary(const std::function<bool(const std::filesystem::path&)>& give);
    void writeAll(std::span<const std::byte> bytes);

    std::filesystem::path target_;
    std::filesystem::path temporary_; ///< empty where it has no name that would have to be removed
    FileDescriptor descriptor_;
};

/// Throws trace::Refusal unless `target` is a regular file that may be written, or not there: renaming would
/// also replace what a person protected, what was read in another role, or what is no file at all.
void refuseUnlessReplaceable(const std::filesystem::path& target, FileRole role = FileRole::Output);

/// Throws trace::Refusal where AtomicFile could not begin to write to `path`: what can be known before
/// anything is written.
void refuseUnlessSavable(const std::filesystem::path& path);

/// The name of a file, or of a folder, that this process is not done with; `which` tells it from its others.
std::string unfinishedName(std::string_view which);
/// Whether one in a folder is such a one, perhaps of a program that was killed.
bool isUnfinished(const std::filesystem::path& path);
/// Removes those, folders with what is in them, of programs that run no more, and of this one, which must not
/// be saving into `folder` now. What cannot be removed is left.
void removeUnfinished(const std::filesystem::path& folder);

void saveAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                    FileRole role = FileRole::Output);
void saveAtomically(const std::filesystem::path& path, std::string_view text,
                    FileRole role = FileRole::Output);

} // namespace headscope::files
