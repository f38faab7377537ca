#pragma once

#include "model/trace/matrix.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace headscope::engine {

/// Copy tensors to plain values. Tensors may have any strides.
std::vector<float> floats(const at::Tensor& tensor);
trace::Matrix matrix(const at::Tensor& tensor);         // [rows, columns]
trace::MaskMatrix maskMatrix(const at::Tensor& tensor); // [queries, keys] bool
trace::HeadStack headStack(const at::Tensor& tensor);   // [heads, rows, columns]

/// Returns a tensor over the memory of `stack`, which must outlive it. [heads, rows, columns]
at::Tensor overValues(const trace::HeadStack& stack);

/// Kullback-Leibler divergence of `other` from `original`, log-probabilities [n, outcomes]; of separate
/// outcomes the sum of those of each, which comes about or not. [n]
at::Tensor divergence(const at::Tensor& original, const at::Tensor& other, bool areSeparate);

} // namespace headscope::engine
