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

/// Owns an open file of the operating system and closes it.
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
    /// 0, or the errno that a late write error left for close to report.
    int close();

  private:
    int number_ = -1;
};

/// A regular file open for reading, and its size in bytes when it was opened.
struct OpenFile {
    FileDescriptor descriptor;
    std::uint64_t size = 0;
};

/// Never waits: pipes, devices and folders are refused instead of opened. Throws trace::Refusal. The file is
/// remembered as read.
OpenFile openForReading(const std::filesystem::path& path, FileRole role = FileRole::Input);

/// Fills `destination` from the file's current position. A file that ends early was changed meanwhile:
/// refused. Obeys `stop` within some milliseconds of reading by throwing trace::Cancelled.
void readExactly(const FileDescriptor& descriptor, std::span<std::byte> destination,
                 const std::filesystem::path& path, const std::stop_token& stop = {});

/// Of a file that was to be read: "what. Where: path. Found: strerror(error)."
trace::Refusal systemRefusal(const std::string& what, const std::filesystem::path& path, int error = errno);

} // namespace headscope::files
