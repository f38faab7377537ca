#pragma once

#include "model/files/element_type.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>

namespace headscope::network {

/// What a tensor of blockMatrix() is made of.
struct BlockMatrix {
    files::ElementType type = files::ElementType::Q8_0; ///< one in blocks
    std::shared_ptr<const std::byte> first;
};

/// Returns a matrix in blocks as a tensor. It has a shape, but LibTorch's operations refuse it: it is read by
/// the functions of matrix_product.h.
at::Tensor blockMatrix(BlockMatrix blocks, at::IntArrayRef shape);

/// Null for any other tensor.
const BlockMatrix* blocksOf(const at::Tensor& tensor);

} // namespace headscope::network
