#pragma once

#include <cstddef>
#include <span>

#include "model/files/stored_tensor.h"

namespace headscope::files {

/// Converts elements of any type to float32; false and true become 0 and 1. `bytes` holds as many elements as
/// `to`, little-endian; they need not be aligned. Blocks
/// are whole.
void toFloats(ElementType type, std::span<const std::byte> bytes, std::span<float> to);

} // namespace headscope::files
