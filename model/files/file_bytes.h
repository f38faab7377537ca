#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace headscope::files {

/// The content of a file or of an archive entry, in memory or mapped (mapped_file.h). Unlike std::vector it
/// does not zero its bytes, which would write large files to memory twice: the creator of a FileBytes of a
/// given size must fill all of it. Large ones ask the system for huge pages, through which weights are read a
/// fifth faster.
class FileBytes {
  public:
    FileBytes() = default;
    explicit FileBytes(std::size_t size);
    explicit FileBytes(std::span<const std::byte> content) : FileBytes(content.size()) {
        std::ranges::copy(content, begin());
    }
    /// `bytes` keeps the memory of `size` bytes.
    FileBytes(std::shared_ptr<std::byte[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
    FileBytes(FileBytes&&) = default;
    FileBytes& operator=(FileBytes&&) = default;

    std::byte* data() { return bytes_.get(); }
    const std::byte* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::byte* begin() { return data(); }
    std::byte* end() { return data() + size_; }
    const std::byte* begin() const { return data(); }
    const std::byte* end() const { return data() + size_; }

  private:
    std::shared_ptr<std::byte[]> bytes_;
    std::size_t size_ = 0;
};

} // namespace headscope::files
