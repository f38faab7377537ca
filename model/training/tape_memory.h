#pragma once

#include "model/training/operations.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>

/// Access to tensor memory for the kernels.
namespace headscope::training {

inline float* floats(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.data_ptr<float>() : nullptr;
}

/// Requires a bfloat16 tensor.
inline std::uint16_t* bits(const at::Tensor& tensor) {
    return static_cast<std::uint16_t*>(tensor.data_ptr());
}

inline std::size_t elements(const at::Tensor& tensor) {
    return static_cast<std::size_t>(tensor.numel());
}

inline std::size_t rowsOf(const at::Tensor& tensor) {
    return static_cast<std::size_t>(tensor.size(0));
}

} // namespace headscope::training
