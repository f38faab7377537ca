#pragma once

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// Attention of a single query, as in every decoding step. The products are so small that LibTorch's batched
/// ones would cost ten times their arithmetic. All tensors must be float32 with a contiguous last dimension.

/// q [heads, 1, d_k], k [heads, keys, d_k] -> q k^T * scale, [heads, 1, keys]
at::Tensor scoresOfOneQuery(const at::Tensor& q, const at::Tensor& k, double scale);

/// weights [heads, 1, keys], v [heads, keys, d_k] -> [heads, 1, d_k]
at::Tensor outputsOfOneQuery(const at::Tensor& weights, const at::Tensor& v);

} // namespace headscope::network
