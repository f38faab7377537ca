#pragma once

#include "model/network/dot_products.h"

/// The loops of dot_products.h for matrices in blocks.
namespace headscope::network::dots {

std::size_t arrangedSizeForBlocks(Element element, std::size_t n);
void arrangeForBlocks(Element element, float* to, const float* x, std::size_t n);

/// What multiply() is called with.
struct Rows {
    const Matrix& matrix;
    std::size_t begin;
    std::size_t end;
    const float* x;
    const float* bias;
    float* y;
};
void multiplyBlocks(const Rows& rows);

} // namespace headscope::network::dots
