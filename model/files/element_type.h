#pragma once

#include <cstddef>
#include <string_view>

namespace headscope::files {

/// Types of a tensor's elements. The last ten are those of llama.cpp: numbers of a few bits in blocks that
/// share scales.
enum class ElementType {
    Bool,
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K
};

/// Elements of a block; 1 for types without blocks. Rows of a tensor consist of whole blocks.
constexpr std::size_t blockLength(ElementType type) {
    return type < ElementType::Q4_0 ? 1 : type < ElementType::Q2_K ? 32 : 256;
}

/// In bytes; of a block for types in blocks.
constexpr std::size_t sizeOf(ElementType type) {
    constexpr std::size_t sizes[]{1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 18, 20, 22, 24, 34, 84, 110, 144, 176, 210};
    return sizes[static_cast<unsigned>(type)];
}

/// Bytes of that many elements, which fill whole blocks.
constexpr std::size_t bytesOf(ElementType type, std::size_t elements) {
    return elements / blockLength(type) * sizeOf(type);
}

constexpr bool isInBlocks(ElementType type) {
    return blockLength(type) > 1;
}

/// The name in NumPy and PyTorch, such as "float32", or in llama.cpp, such as "Q4_K".
std::string_view name(ElementType type);

} // namespace headscope::files
