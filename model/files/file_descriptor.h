#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "model/files/file_role.h"
#include "model/trace/refusal.h"

namespace headscope::files {

/// Owns a file descriptor and closes it.
class FileDescriptor {
  public:
    FileDescriptor() = default;
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { close(); }

    int get() const { return number_; }
    bool isOpen() const { return number_ >= 0; }
    int release() { return std::exchange(number_, -1); }
    /// Returns 0, or the errno of a delayed write error that only close() reports.
    int close();

  private:
    int number_ = -1;
};

/// A regular file open for reading, and its size in bytes when it was opened.
struct OpenFile {
    FileDescriptor descriptor;
    std::uint64_t size = 0;
};

/// Never blocks: throws trace::Refusal for pipes, devices and folders, as for files that cannot be opened.
/// Records that the file was read as `role` (rememberRead()).
OpenFile openForReading(const std::filesystem::path& path, FileRole role = FileRole::Input);

/// Fills `destination` from the file's current position. Throws trace::Refusal if the file ends early: it was
/// changed since its size was read. Throws trace::Cancelled within some milliseconds of `stop`.
void readExactly(const FileDescriptor& descriptor, std::span<std::byte> destination,
                 const std::filesystem::path& path, const std::stop_token& stop = {});

/// Returns the error for a file that could not be read: "what. Where: path. Found: strerror(error)."
trace::Refusal systemRefusal(const std::string& what, const std::filesystem::path& path, int error = errno);

} // namespace headscope::files
