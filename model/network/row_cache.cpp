#include "model/network/row_cache.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace headscope::network {

namespace {

/// Copies in a loop: for the single row of a step, LibTorch's copy would cost more than the copying itself.
void copyRows(const at::Tensor& rows, const at::Tensor& to, std::int64_t first) {
    for (std::int64_t head = 0; head < rows.size(0); ++head)
        for (std::int64_t row = 0; row < rows.size(1); ++row)
            std::copy_n(rows.data_ptr<float>() + head * rows.stride(0) + row * rows.stride(1), rows.size(2),
                        to.data_ptr<float>() + head * to.stride(0) + (first + row) * to.stride(1));
}

} // namespace

RowCache::RowCache(std::int64_t heads, std::int64_t width, std::int64_t capacity)
    : stored_(at::empty({heads, capacity, width})) {}

void RowCache::append(const at::Tensor& rows) {
    const auto needed = length_ + rows.size(1);
    if (rows.requires_grad() || stored_.requires_grad()) { // copyRows() records no gradients
        stored_ = at::cat({all(), rows}, 1);
        length_ = needed;
        return;
    }
    if (needed > stored_.size(1)) {
        const auto larger =
            at::empty({stored_.size(0), std::max(needed, 2 * stored_.size(1)), stored_.size(2)});
        copyRows(all(), larger, 0);
        stored_ = larger;
    }
    copyRows(rows, stored_, length_);
    length_ = needed;
}

at::Tensor RowCache::all() const {
    return stored_.narrow(1, 0, length_);
}

} // namespace headscope::network
