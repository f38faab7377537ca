#include "model/network/block_products.h"

#include "model/files/block_layouts.h"
#include "model/trace/vectorised.h"

#include <algorithm>
#include <cstring>

namespace headscope::network::dots {

namespace {

namespace blocks = files::blocks;

/// Eight lanes, of which the compiler makes registers of any width. A word has the values of four numbers.
using Floats = blocks::Floats8;
using Signed = blocks::Signed32;
using blocks::Bytes32;
constexpr std::size_t lanes = 8, perWords = sizeof(Bytes32);

HEADSCOPE_INLINE void load(Floats& to, const float* from) {
    std::memcpy(&to, from, sizeof to);
}

/// Numbers whose sum is needed for what is subtracted from their values; 0: nothing is.
template <class Block>
constexpr std::size_t summed = Block::hasOffsets || Block::zero != 0 ? Block::group : 0;

/// The values of each place in words, which are not moved down: x is divided instead. Values with a sign are
/// moved up first, so that the sign is that of the word.
template <class Block, int place>
HEADSCOPE_INLINE void widenPlace(const Bytes32& words, Floats& to) {
    constexpr bool isSigned = Block::type == Element::Q8_0;
    if constexpr (isSigned)
        to = __builtin_convertvector((Signed)(words << (24 - 8 * place)) >> 24, Floats);
    else if constexpr (place == 3)
        to = __builtin_convertvector((Signed)(words >> 24), Floats);
    else
        to = __builtin_convertvector((Signed)(words & 0xFFU << 8 * place), Floats);
}

/// What the values of a place are multiplied by.
template <class Block>
constexpr float factors[4]{1, Block::type == Element::Q8_0 ? 1 : 0x1p8F,
                           Block::type == Element::Q8_0 ? 1 : 0x1p16F, 1};

/// The products of 32 values and numbers, by lane.
template <class Block>
HEADSCOPE_INLINE void multiplyWords(const Bytes32& words, const float* x, Floats& sum) {
    Floats values, numbers;
    load(numbers, x);
    widenPlace<Block, 0>(words, values);
    sum = values * numbers;
    load(numbers, x + lanes);
    widenPlace<Block, 1>(words, values);
    sum += values * numbers;
    load(numbers, x + 2 * lanes);
    widenPlace<Block, 2>(words, values);
    sum += values * numbers;
    load(numbers, x + 3 * lanes);
    widenPlace<Block, 3>(words, values);
    sum += values * numbers;
}

/// Adds what is subtracted from the values of a block, times the sums of the numbers.
template <class Block>
HEADSCOPE_INLINE void subtract(const float* scales, const float* offsets, const float* sums, Floats& less) {
    constexpr std::size_t groups = Block::length / Block::group;
    const auto* const ofBlock = Block::hasOffsets ? offsets : scales;
    if constexpr (groups == 1) {
        less[0] += ofBlock[0] * sums[0];
    } else {
        for (std::size_t g = 0; g < groups; g += lanes) {
            Floats eight, ofGroups;
            load(eight, ofBlock + g);
            load(ofGroups, sums + g);
            less += eight * ofGroups;
        }
    }
}

/// Adds the products of a block's values from 32 * part on, by lane, to two sums that do not wait for each
/// other.
template <class Block, std::size_t part = 0>
HEADSCOPE_INLINE void multiplyParts(const std::uint8_t* block, const float* scales, const float* x,
                                    Floats* totals) {
    Bytes32 words;
    Floats sum;
    Block::readValues(block, part, words);
    multiplyWords<Block>(words, x + part * perWords, sum);
    if constexpr (Block::group == perWords) {
        totals[part % 2] += sum * scales[part];
    } else { // two groups, whose numbers are in the lower and in the upper words
        constexpr int low = part % 4 * 2, high = low + 1;
        Floats eight;
        load(eight, scales + part / 4 * lanes);
        totals[part % 2] +=
            sum * __builtin_shufflevector(eight, eight, low, low, low, low, high, high, high, high);
    }
    if constexpr ((part + 1) * perWords < Block::length)
        multiplyParts<Block, part + 1>(block, scales, x, totals);
}

template <class Block>
HEADSCOPE_INLINE float multiplyRow(const std::uint8_t* row, std::size_t columns, const float* x) {
    constexpr std::size_t bytes = files::sizeOf(Block::type), groups = Block::length / Block::group;
    constexpr std::size_t ahead = 1024, line = 64;
    const float* sums = x + columns;
    Floats totals[2] = {}, less = {};
    for (std::size_t begin = 0; begin < columns; begin += Block::length, row += bytes) {
        for (std::size_t at = 0; at < bytes; at += line)
            __builtin_prefetch(row + ahead + at);
        alignas(32) float scales[groups], offsets[groups];
        Block::readScales(row, scales, offsets);
        if constexpr (Block::group == perWords && groups > 1)
            __asm__("" : "+m"(scales)); // from memory, one instruction loads a number into all lanes
        multiplyParts<Block>(row, scales, x + begin, totals);
        if constexpr (summed<Block> != 0) {
            subtract<Block>(scales, offsets, sums, less);
            sums += groups;
        }
    }
    totals[0] += totals[1] - less * (Block::zero != 0 ? Block::zero : 1.0F);
    float sum = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        sum += totals[0][lane];
    return sum;
}

template <class Block>
HEADSCOPE_INLINE void multiplyRows(const Rows& rows) {
    const auto bytesOfRow = files::bytesOf(Block::type, rows.matrix.columns);
    const auto* row = static_cast<const std::uint8_t*>(rows.matrix.first) + rows.begin * bytesOfRow;
    for (auto r = rows.begin; r < rows.end; ++r, row += bytesOfRow)
        rows.y[r] = multiplyRow<Block>(row, rows.matrix.columns, rows.x) + (rows.bias ? rows.bias[r] : 0.0F);
}

HEADSCOPE_VECTORISED(void, multiplyAnyBlocks, (const Rows& rows), (rows)) {
    blocks::with(
        rows.matrix.element, [&](auto block)
                                 __attribute__((always_inline)) { multiplyRows<decltype(block)>(rows); });
}

} // namespace

std::size_t arrangedSizeForBlocks(Element element, std::size_t n) {
    return blocks::with(element, [n](auto block) {
        constexpr auto group = summed<decltype(block)>;
        return group != 0 ? n + n / std::max<std::size_t>(group, 1) : n;
    });
}

void arrangeForBlocks(Element element, float* to, const float* x, std::size_t n) {
    blocks::with(element, [&](auto block) {
        using Block = decltype(block);
        for (std::size_t i = 0; i < n; i += perWords)
            for (std::size_t place = 0; place < 4; ++place)
                for (std::size_t word = 0; word < lanes; ++word)
                    to[i + place * lanes + word] = x[i + word * 4 + place] / factors<Block>[place];
        if constexpr (summed<Block> != 0)
            for (std::size_t i = 0; i < n; i += Block::group) {
                float sum = 0;
                for (std::size_t j = 0; j < Block::group; ++j)
                    sum += x[i + j];
                to[n + i / Block::group] = sum;
            }
    });
}

void multiplyBlocks(const Rows& rows) {
    multiplyAnyBlocks(rows);
}

} // namespace headscope::network::dots
