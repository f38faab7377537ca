#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headscope::network {

/// One row a token and head, of the tokens so far: [heads, capacity, width]. A further token costs its own
/// row.
class RowCache {
  public:
    RowCache(std::int64_t heads, std::int64_t width, std::int64_t capacity);

    std::int64_t length() const { return length_; }
    /// Forgets everything from token `length` on.
    void truncate(std::int64_t length) { length_ = length; }
    /// Adds rows [heads, n, width], each contiguous; grows if they do not fit.
    void append(const at::Tensor& rows);
    at::Tensor all() const; // [heads, length, width]; valid until the next append

  private:
    std::int64_t length_ = 0;
    at::Tensor stored_;
};

} // namespace headscope::network
