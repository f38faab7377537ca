#pragma once

#include <cstddef>

#include "model/files/element_type.h"

namespace headscope::files {

/// Writes the numbers of blocks in float32, exactly as llama.cpp does. `n` fills whole blocks.
void widenBlocks(ElementType type, const std::byte* blocks, std::size_t n, float* to);

/// Returns how many numbers are in blocks whose scales are NaN or infinite.
std::size_t notFiniteInBlocks(ElementType type, const std::byte* blocks, std::size_t n);

} // namespace headscope::files
