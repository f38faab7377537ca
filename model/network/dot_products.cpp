#include "model/network/dot_products.h"

#include "model/files/block_values.h"
#include "model/network/block_products.h"
#include "model/trace/vectorised.h"

#include <cstring>

namespace headscope::network::dots {

namespace {

/// `lanes` floats or 32-bit words in one vector.
template <std::size_t lanes>
struct Vector {
    using Floats __attribute__((vector_size(lanes * 4))) = float;
    using Words __attribute__((vector_size(lanes * 4))) = std::uint32_t;
};

struct Float32 {
    using Stored = float;
    static constexpr bool isHalf = false;
    static HEADSCOPE_INLINE float widened(float x) { return x; }
};

/// The members named `lower` and `upper` widen the two numbers in each 32-bit word of a little-endian row.
struct BFloat16 {
    using Stored = std::uint16_t;
    static constexpr bool isHalf = true;
    template <class Words>
    static HEADSCOPE_INLINE void lower(Words& bits) {
        bits <<= 16;
    }
    template <class Words>
    static HEADSCOPE_INLINE void upper(Words& bits) {
        bits &= 0xFFFF0000U;
    }
    static constexpr float factor = 1;
    static HEADSCOPE_INLINE float widened(std::uint16_t x) { return trace::widenedBfloat16(x); }
};

/// Exponent and mantissa of a half are moved into those of a float; `factor` corrects the exponent's bias.
struct Float16 {
    using Stored = std::uint16_t;
    static constexpr bool isHalf = true;
    template <class Words>
    static HEADSCOPE_INLINE void lower(Words& bits) {
        bits = (bits & 0x7FFFU) << 13 | (bits & 0x8000U) << 16;
    }
    template <class Words>
    static HEADSCOPE_INLINE void upper(Words& bits) {
        bits = (bits & 0x7FFF0000U) >> 3 | (bits & 0x80000000U);
    }
    static constexpr float factor = 0x1p112F;
    static HEADSCOPE_INLINE float widened(std::uint16_t x) { return trace::widenedFloat16(x); }
};

/// Widens 2 * lanes numbers and multiplies them by `x`, into two sums.
template <class Element, std::size_t lanes>
HEADSCOPE_INLINE void multiplyBlock(const typename Element::Stored* w, const float* x,
                                    typename Vector<lanes>::Floats* sums) {
    using Floats = typename Vector<lanes>::Floats;
    using Words = typename Vector<lanes>::Words;
    Floats x0, x1, w0, w1;
    std::memcpy(&x0, x, sizeof x0);
    std::memcpy(&x1, x + lanes, sizeof x1);
    if constexpr (Element::isHalf) {
        Words low, high;
        std::memcpy(&low, w, sizeof low);
        high = low;
        Element::lower(low);
        Element::upper(high);
        std::memcpy(&w0, &low, sizeof w0);
        std::memcpy(&w1, &high, sizeof w1);
    } else {
        std::memcpy(&w0, w, sizeof w0);
        std::memcpy(&w1, w + lanes, sizeof w1);
    }
    sums[0] += w0 * x0;
    sums[1] += w1 * x1;
}

/// One row at a time, so that memory is read in order.
template <class Element, std::size_t lanes>
HEADSCOPE_INLINE float multiplyRow(const typename Element::Stored* w, std::size_t columns, const float* x) {
    constexpr std::size_t block = 2 * lanes;
    constexpr std::size_t blocks = 4;                // whose sums do not wait for each other
    constexpr std::size_t ahead = 1024 / sizeof(*w); // further than the processor looks by itself
    constexpr std::size_t perLine = 64 / sizeof(*w); // of the cache
    typename Vector<lanes>::Floats sums[2 * blocks] = {};
    std::size_t i = 0;
    for (; i + blocks * block <= columns; i += blocks * block)
        for (std::size_t b = 0; b < blocks; ++b) {
            for (auto line = (b * block + perLine - 1) / perLine * perLine; line < (b + 1) * block;
                 line += perLine) {
                __builtin_prefetch(w + i + line + ahead);
                if constexpr (!Element::isHalf) // in the order in which they are in memory: a fifth faster
                    __asm__ volatile("" ::: "memory");
            }
            multiplyBlock<Element, lanes>(w + i + b * block, x + i + b * block, sums + 2 * b);
        }
    for (; i + block <= columns; i += block)
        multiplyBlock<Element, lanes>(w + i, x + i, sums);
    for (std::size_t half = blocks; half > 0; half /= 2)
        for (std::size_t b = 0; b < half; ++b)
            sums[b] += sums[b + half];
    float sum = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane)
        sum += sums[0][lane];
    if constexpr (Element::isHalf)
        sum *= Element::factor;
    for (; i < columns; ++i)
        sum += Element::widened(w[i]) * x[i];
    return sum;
}

template <class Element, std::size_t lanes>
HEADSCOPE_INLINE void multiplyAll(const Rows& rows) {
    const auto columns = rows.matrix.columns;
    const auto* w = static_cast<const typename Element::Stored*>(rows.matrix.first) + rows.begin * columns;
    for (auto row = rows.begin; row < rows.end; ++row, w += columns)
        rows.y[row] = multiplyRow<Element, lanes>(w, columns, rows.x) + (rows.bias ? rows.bias[row] : 0.0F);
}

template <std::size_t lanes>
HEADSCOPE_INLINE void multiplyAny(const Rows& rows) {
    switch (rows.matrix.element) {
    case Element::Float32:
        return multiplyAll<Float32, lanes>(rows);
    case Element::BFloat16:
        return multiplyAll<BFloat16, lanes>(rows);
    default:
        return multiplyAll<Float16, lanes>(rows);
    }
}

/// The loop compiled for a set of instructions, and how many floats its vectors have.
struct Instructions {
    std::size_t lanes;
    void (*multiply)(const Rows&);
};

void multiplyDefault(const Rows& rows) {
    multiplyAny<4>(rows);
}

HEADSCOPE_AVX2 void multiplyAvx2(const Rows& rows) {
    multiplyAny<8>(rows);
}

HEADSCOPE_AVX512 void multiplyAvx512(const Rows& rows) {
    multiplyAny<16>(rows);
}

const Instructions& instructions() {
    static constexpr Instructions table[]{{4, multiplyDefault}, {8, multiplyAvx2}, {16, multiplyAvx512}};
    return table[static_cast<std::size_t>(trace::kernelsInUse())];
}

template <class Stored>
HEADSCOPE_INLINE std::size_t countOfExponent(const Stored* x, std::size_t n, Stored exponent) {
    std::size_t count = 0;
    constexpr std::size_t block = 4096;
    for (std::size_t begin = 0; begin < n; begin += block) {
        const auto end = begin + block < n ? begin + block : n;
        Stored inBlock = 0; // of the type of the numbers, so that the loop has as many lanes as they
        for (auto i = begin; i < end; ++i)
            inBlock = static_cast<Stored>(inBlock + ((x[i] & exponent) == exponent ? 1 : 0));
        count += inBlock;
    }
    return count;
}

HEADSCOPE_VECTORISED(std::size_t, countHalves,
                     (const std::uint16_t* x, std::size_t n, std::uint16_t exponent), (x, n, exponent)) {
    return countOfExponent(x, n, exponent);
}

HEADSCOPE_VECTORISED(std::size_t, countFloats, (const std::uint32_t* x, std::size_t n), (x, n)) {
    return countOfExponent(x, n, std::uint32_t{0x7F800000U});
}

HEADSCOPE_VECTORISED(void, widenBFloat16,
                     (float* __restrict to, const std::uint16_t* __restrict x, std::size_t n), (to, x, n)) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] = BFloat16::widened(x[i]);
}

HEADSCOPE_VECTORISED(void, widenFloat16,
                     (float* __restrict to, const std::uint16_t* __restrict x, std::size_t n), (to, x, n)) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] = Float16::widened(x[i]);
}

} // namespace

std::size_t arrangedSize(Element element, std::size_t n) {
    return isInBlocks(element) ? arrangedSizeForBlocks(element, n) : n;
}

void arrange(Element element, float* to, const float* x, std::size_t n) {
    if (isInBlocks(element))
        return arrangeForBlocks(element, to, x, n);
    std::size_t i = 0;
    if (element != Element::Float32)
        for (const auto lanes = instructions().lanes; i + 2 * lanes <= n; i += 2 * lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                to[i + lane] = x[i + 2 * lane];
                to[i + lanes + lane] = x[i + 2 * lane + 1];
            }
    std::memcpy(to + i, x + i, (n - i) * sizeof(float));
}

void multiply(const Matrix& matrix, std::size_t begin, std::size_t end, const float* x, const float* bias,
              float* y) {
    if (isInBlocks(matrix.element))
        return multiplyBlocks({matrix, begin, end, x, bias, y});
    instructions().multiply({matrix, begin, end, x, bias, y});
}

void widen(const Matrix& matrix, std::size_t begin, std::size_t n, float* to) {
    if (isInBlocks(matrix.element))
        return files::widenBlocks(
            matrix.element,
            static_cast<const std::byte*>(matrix.first) + files::bytesOf(matrix.element, begin), n, to);
    const auto* const halves = static_cast<const std::uint16_t*>(matrix.first);
    if (matrix.element == Element::BFloat16)
        widenBFloat16(to, halves + begin, n);
    else
        widenFloat16(to, halves + begin, n);
}

std::size_t notFinite(const Matrix& matrix, std::size_t n) {
    switch (matrix.element) {
    case Element::Float32:
        return countFloats(static_cast<const std::uint32_t*>(matrix.first), n);
    case Element::BFloat16:
        return countHalves(static_cast<const std::uint16_t*>(matrix.first), n, 0x7F80U);
    case Element::Float16:
        return countHalves(static_cast<const std::uint16_t*>(matrix.first), n, 0x7C00U);
    default:
        return files::notFiniteInBlocks(matrix.element, static_cast<const std::byte*>(matrix.first), n);
    }
}

} // namespace headscope::network::dots
