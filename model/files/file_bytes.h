#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

namespace headscope::files {

/// The content of a file or of an archive entry. Unlike std::vector it does not zero its bytes, which would
/// write large files to memory twice: the creator of a FileBytes of a given size must fill all of it.
class FileBytes {
  public:
    FileBytes() = default;
    explicit FileBytes(std::size_t size)
        : bytes_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}
    explicit FileBytes(std::span<const std::byte> content) : FileBytes(content.size()) {
        std::ranges::copy(content, begin());
    }

    std::byte* data() { return bytes_.get(); }
    const std::byte* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::byte* begin() { return data(); }
    std::byte* end() { return data() + size_; }
    const std::byte* begin() const { return data(); }
    const std::byte* end() const { return data() + size_; }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_ = 0;
};

} // namespace headscope::files
