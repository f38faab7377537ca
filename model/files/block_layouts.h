#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "model/files/element_type.h"
#include "model/trace/vectorised.h"

/// The blocks of llama.cpp, as ggml-quants.c reads them. A block has `length` numbers in groups of `group`.
/// Number i is scales[i / group] * (value i - zero) - offsets[i / group], where values are whole and fit into
/// a byte; they are signed only in Q8_0. Without hasOffsets all offsets are 0.
namespace headscope::files::blocks {

/// Bytes in one register, as words.
using Bytes16 __attribute__((vector_size(16))) = std::uint32_t;
using Bytes32 __attribute__((vector_size(32))) = std::uint32_t;

HEADSCOPE_INLINE std::uint16_t halfAt(const std::uint8_t* at) {
    std::uint16_t half;
    std::memcpy(&half, at, sizeof half);
    return half;
}
HEADSCOPE_INLINE float numberAt(const std::uint8_t* at) {
    return trace::widenedFloat16(halfAt(at));
}
HEADSCOPE_INLINE std::uint32_t wordAt(const std::uint8_t* at) {
    std::uint32_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// Sets `bits` to bits of 32 bytes, which `mask` tells from their neighbours'.
HEADSCOPE_INLINE void take(Bytes32& bits, const std::uint8_t* from, int shift, std::uint32_t mask) {
    std::memcpy(&bits, from, sizeof bits);
    bits = bits >> shift & mask * 0x01010101U;
}

using Signed32 __attribute__((vector_size(32))) = std::int32_t;
using Floats8 __attribute__((vector_size(32))) = float;

/// numbers[g] = scale * (byte g of two words - zero), g < 8; bytes have a sign or none.
template <bool isSigned, int zero = 0>
HEADSCOPE_INLINE void scaleEight(float* numbers, float scale, std::uint32_t first, std::uint32_t second) {
    using Words __attribute__((vector_size(32))) = std::uint64_t;
    using Bytes __attribute__((vector_size(32))) = std::uint8_t;
    const std::uint64_t both = first | std::uint64_t{second} << 32;
    auto bytes = (Bytes)Words{both, both, both, both};
    bytes = __builtin_shufflevector(bytes, bytes, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 20, 20, 20,
                                    20, 21, 21, 21, 21, 22, 22, 22, 22, 23, 23, 23, 23);
    const auto whole = isSigned ? (Signed32)bytes >> 24 : (Signed32)((Bytes32)bytes >> 24);
    const Floats8 eight = __builtin_convertvector(whole - zero, Floats8) * scale;
    std::memcpy(numbers, &eight, sizeof eight);
}

/// 32 numbers of 4 or 5 bits, with one scale.
template <ElementType elementType, bool offset, bool five>
struct SmallBlock {
    static constexpr auto type = elementType;
    static constexpr std::size_t length = 32, group = 32;
    static constexpr int zero = offset ? 0 : five ? 16 : 8;
    static constexpr bool hasOffsets = offset;
    static constexpr std::size_t scalesAt[]{0, offset ? 2 : 0}; ///< places of numbers in float16

    static HEADSCOPE_INLINE void readScales(const std::uint8_t* block, float* scales, float* offsets) {
        scales[0] = numberAt(block);
        if constexpr (offset)
            offsets[0] = -numberAt(block + 2);
    }

    /// The values from 32 * part on.
    static HEADSCOPE_INLINE void readValues(const std::uint8_t* block, int, Bytes32& values) {
        constexpr std::size_t high = offset ? 4 : 2, low = high + (five ? 4 : 0);
        Bytes16 both;
        std::memcpy(&both, block + low, sizeof both);
        values = __builtin_shufflevector(both, both, 0, 1, 2, 3, 0, 1, 2, 3);
        values = values >> Bytes32{0, 0, 0, 0, 4, 4, 4, 4} & 0x0F0F0F0FU;
        if constexpr (five) { // bit i belongs to value i
            const auto word = wordAt(block + high);
            Bytes32 fifth{word, word, word, word, word, word, word, word};
            fifth = fifth >> Bytes32{0, 4, 8, 12, 16, 20, 24, 28} & 15U;
            values |= (fifth * 0x00204081U & 0x01010101U) << 4; // four bits, one in each byte
        }
    }
};
using Q4_0 = SmallBlock<ElementType::Q4_0, false, false>;
using Q4_1 = SmallBlock<ElementType::Q4_1, true, false>;
using Q5_0 = SmallBlock<ElementType::Q5_0, false, true>;
using Q5_1 = SmallBlock<ElementType::Q5_1, true, true>;

struct Q8_0 {
    static constexpr auto type = ElementType::Q8_0;
    static constexpr std::size_t length = 32, group = 32;
    static constexpr int zero = 0;
    static constexpr bool hasOffsets = false;
    static constexpr std::size_t scalesAt[]{0, 0};

    static HEADSCOPE_INLINE void readScales(const std::uint8_t* block, float* scales, float*) {
        scales[0] = numberAt(block);
    }
    static HEADSCOPE_INLINE void readValues(const std::uint8_t* block, int, Bytes32& values) {
        std::memcpy(&values, block + 2, sizeof values);
    }
};

struct Q2_K {
    static constexpr auto type = ElementType::Q2_K;
    static constexpr std::size_t length = 256, group = 16;
    static constexpr int zero = 0;
    static constexpr bool hasOffsets = true;
    static constexpr std::size_t scalesAt[]{80, 82};

    static HEADSCOPE_INLINE void readScales(const std::uint8_t* block, float* scales, float* offsets) {
        const float scale = numberAt(block + 80), offset = numberAt(block + 82);
        constexpr std::uint32_t low = 0x0F0F0F0FU;
        for (int half = 0; half < 2; ++half) {
            const auto a = wordAt(block + 8 * half), b = wordAt(block + 8 * half + 4);
            scaleEight<false>(scales + 8 * half, scale, a & low, b & low);
            scaleEight<false>(offsets + 8 * half, offset, a >> 4 & low, b >> 4 & low);
        }
    }
    static HEADSCOPE_INLINE void readValues(const std::uint8_t* block, int part, Bytes32& values) {
        take(values, block + 16 + part / 4 * 32, part % 4 * 2, 3);
    }
};

struct Q3_K {
    static constexpr auto type = ElementType::Q3_K;
    static constexpr std::size_t length = 256, group = 16;
    static constexpr int zero = 4;
    static constexpr bool hasOffsets = false;
    static constexpr std::size_t scalesAt[]{108, 108};

    /// Scales have six bits, of which the upper two come last.
    static HEADSCOPE_INLINE void readScales(const std::uint8_t* block, float* scales, float*) {
        const auto a = wordAt(block + 96), b = wordAt(block + 100), high = wordAt(block + 104);
        constexpr std::uint32_t low = 0x0F0F0F0FU, two = 0x03030303U;
        const auto number = numberAt(block + 108);
        scaleEight<false, 32>(scales, number, (a & low) | (high & two) << 4,
                              (b & low) | (high >> 2 & two) << 4);
        scaleEight<false, 32>(scales + 8, number, (a >> 4 & low) | (high >> 4 & two) << 4,
                              (b >> 4 & low) | (high >> 6 & two) << 4);
    }
    static HEADSCOPE_INLINE void readValues(const std::uint8_t* block, int part, Bytes32& values) {
        Bytes32 high;
        take(values, block + 32 + part / 4 * 32, part % 4 * 2, 3);
        take(high, block, part, 1);
        values |= high << 2;
    }
};

/// Eight scales and eight offsets of six bits, and numbers of 4 or 5 bits.
template <ElementType elementType, bool five>
struct LargeBlock {
    static constexpr auto type = elementType;
    static constexpr std::size_t length = 256, group = 32;
    static constexpr int zero = 0;
    static constexpr bool hasOffsets = true;
    static constexpr std::size_t scalesAt[]{0, 2};

    static HEADSCOPE_INLINE void readScales(const std::uint8_t* block, float* scales, float* offsets) {
        const auto a = wordAt(block + 4), b = wordAt(block + 8), c = wordAt(block + 12);
        constexpr std::uint32_t low = 0x0F0F0F0FU, two = 0x03030303U, six = 0x3F3F3F3FU;
        scaleEight<false>(scales, numberAt(block), a & six, (c & low) | (a >> 6 & two) << 4);
        scaleEight<false>(offsets, numberAt(block + 2), b & six, (c >> 4 & low) | (b >> 6 & two) << 4);
    }
    static HEADSCOPE_INLINE void readValues(const std::uint8_t* block, int part, Bytes32& values) {
        take(values, block + (five ? 48 : 16) + part / 2 * 32, part % 2 * 4, 15);
        if constexpr (five) {
            Bytes32 fifth;
            take(fifth, block + 16, part, 1);
            values |= fifth << 4;
        }
    }
};
using Q4_K = LargeBlock<ElementType::Q4_K, false>;
using Q5_K = LargeBlock<ElementType::Q5_K, true>;

struct Q6_K {
    static constexpr auto type = ElementType::Q6_K;
    static constexpr std::size_t length = 256, group = 16;
    static constexpr int zero = 32;
    static constexpr bool hasOffsets = false;
    static constexpr std::size_t scalesAt[]{208, 208};

    static HEADSCOPE_INLINE void readScales(const std::uint8_t* block, float* scales, float*) {
        const auto scale = numberAt(block + 208);
        scaleEight<true>(scales, scale, wordAt(block + 192), wordAt(block + 196));
        scaleEight<true>(scales + 8, scale, wordAt(block + 200), wordAt(block + 204));
    }
    static HEADSCOPE_INLINE void readValues(const std::uint8_t* block, int part, Bytes32& values) {
        Bytes32 high;
        take(values, block + part / 4 * 64 + part % 2 * 32, part % 4 / 2 * 4, 15);
        take(high, block + 128 + part / 4 * 32, part % 4 * 2, 3);
        values |= high << 4;
    }
};

/// Calls work(Block()) for the block of a type, which is one in blocks.
template <class Work>
HEADSCOPE_INLINE auto with(ElementType type, Work&& work) {
    switch (type) {
    case ElementType::Q4_0:
        return work(Q4_0());
    case ElementType::Q4_1:
        return work(Q4_1());
    case ElementType::Q5_0:
        return work(Q5_0());
    case ElementType::Q5_1:
        return work(Q5_1());
    case ElementType::Q8_0:
        return work(Q8_0());
    case ElementType::Q2_K:
        return work(Q2_K());
    case ElementType::Q3_K:
        return work(Q3_K());
    case ElementType::Q4_K:
        return work(Q4_K());
    case ElementType::Q5_K:
        return work(Q5_K());
    default:
        return work(Q6_K());
    }
}

} // namespace headscope::files::blocks
