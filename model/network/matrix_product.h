#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

namespace headscope::network {

struct Linear;

/// Matrices of linear maps stay in the type of their file: float32, bfloat16, float16, or in blocks
/// (block_matrix.h). Products are computed in float32, by as many threads as Workers::ofProducts() has.

/// x [n, in] float32 -> the results of maps of the same input, [n, out] each. Records no gradients.
std::vector<at::Tensor> products(const at::Tensor& x, std::span<const Linear* const> maps);

/// Returns the tensor in float32: itself if it is.
at::Tensor widened(const at::Tensor& tensor);

/// Returns rows of a matrix in float32. ids [n] int64 -> [n, columns].
at::Tensor rowsOf(const at::Tensor& matrix, const at::Tensor& ids);

/// Returns how many numbers of some rows are NaN or infinite. `tensor` is contiguous, of one of these types.
std::int64_t notFinite(const at::Tensor& tensor, std::int64_t firstRow, std::int64_t rows);

/// Bytes of a tensor in its type.
std::int64_t bytesOf(const at::Tensor& tensor);

} // namespace headscope::network
