#pragma once

#include <cstddef>
#include <span>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Numbers of any type as float32; false and true are 0 and 1. `bytes` holds as many elements as `to`,
/// little-endian and perhaps unaligned.
void toFloats(ElementType type, std::span<const std::byte> bytes, std::span<float> to);

} // namespace headscope::files
