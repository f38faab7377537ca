#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headscope::network {

/// Growing cache with one row per head and token: [heads, capacity, width]. Appending a token copies only its
/// own row.
class RowCache {
  public:
    RowCache(std::int64_t heads, std::int64_t width, std::int64_t capacity);

    std::int64_t length() const { return length_; }
    /// Removes all tokens from index `length` on.
    void truncate(std::int64_t length) { length_ = length; }
    /// Appends rows [heads, n, width], each contiguous; grows if needed.
    void append(const at::Tensor& rows);
    at::Tensor all() const; // [heads, length, width]; valid until the next append

  private:
    std::int64_t length_ = 0;
    at::Tensor stored_;
};

} // namespace headscope::network
