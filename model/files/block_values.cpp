#include "model/files/block_values.h"

#include "model/files/block_layouts.h"

namespace headscope::files {

namespace {

template <class Block>
HEADSCOPE_INLINE void widenAll(const std::uint8_t* from, std::size_t n, float* to) {
    constexpr std::size_t perPart = sizeof(blocks::Bytes32);
    for (std::size_t begin = 0; begin < n; begin += Block::length, from += sizeOf(Block::type)) {
        float scales[Block::length / Block::group], offsets[Block::length / Block::group];
        Block::readScales(from, scales, offsets);
        int part = 0;
        for (std::size_t first = 0; first < Block::length; first += perPart) {
            blocks::Bytes32 words;
            Block::readValues(from, part++, words);
            std::int8_t values[perPart]; // those without a sign are below 64
            std::memcpy(values, &words, sizeof values);
            for (std::size_t half = 0; half < perPart; half += Block::group) {
                const auto g = (first + half) / Block::group;
                const float scale = scales[g], offset = Block::hasOffsets ? offsets[g] : 0;
                auto* const numbers = to + begin + first + half;
                for (std::size_t i = 0; i < Block::group; ++i) {
                    numbers[i] = scale * static_cast<float>(values[half + i] - Block::zero);
                    if constexpr (Block::hasOffsets)
                        numbers[i] -= offset;
                }
            }
        }
    }
}

HEADSCOPE_VECTORISED(void, widenAny, (ElementType type, const std::uint8_t* from, std::size_t n, float* to),
                     (type, from, n, to)) {
    blocks::with(
        type, [&](auto block) __attribute__((always_inline)) { widenAll<decltype(block)>(from, n, to); });
}

} // namespace

void widenBlocks(ElementType type, const std::byte* blocks, std::size_t n, float* to) {
    widenAny(type, reinterpret_cast<const std::uint8_t*>(blocks), n, to);
}

std::size_t notFiniteInBlocks(ElementType type, const std::byte* blocks, std::size_t n) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(blocks);
    return blocks::with(type, [&](auto block) {
        using Block = decltype(block);
        std::size_t count = 0;
        constexpr std::uint16_t exponent = 0x7C00U;
        for (std::size_t begin = 0; begin < n; begin += Block::length, from += sizeOf(Block::type))
            for (const auto at : Block::scalesAt)
                if ((blocks::halfAt(from + at) & exponent) == exponent) {
                    count += Block::length;
                    break;
                }
        return count;
    });
}

} // namespace headscope::files
