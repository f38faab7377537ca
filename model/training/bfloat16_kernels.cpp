#include "model/trace/vectorised.h"
#include "model/training/kernels.h"

namespace headscope::training::kernels {

using trace::widenedBfloat16;

HEADSCOPE_VECTORISED(void, toBfloat16,
                     (std::uint16_t* __restrict to, const float* __restrict x, std::size_t n), (to, x, n)) {
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, x + i, sizeof bits);
        to[i] = static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
    }
}

HEADSCOPE_VECTORISED(void, fromBfloat16,
                     (float* __restrict to, const std::uint16_t* __restrict x, std::size_t n), (to, x, n)) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] = widenedBfloat16(x[i]);
}

HEADSCOPE_VECTORISED(void, addBfloat16,
                     (float* __restrict to, const std::uint16_t* __restrict x, std::size_t n), (to, x, n)) {
    for (std::size_t i = 0; i < n; ++i)
        to[i] += widenedBfloat16(x[i]);
}

HEADSCOPE_VECTORISED(void, fromBfloat16WithBias,
                     (float* __restrict to, const std::uint16_t* __restrict x, const float* __restrict bias,
                      std::size_t rows, std::size_t columns),
                     (to, x, bias, rows, columns)) {
    if (!bias)
        return fromBfloat16(to, x, rows * columns);
    for (std::size_t row = 0; row < rows; ++row, to += columns, x += columns)
        for (std::size_t i = 0; i < columns; ++i)
            to[i] = widenedBfloat16(x[i]) + bias[i];
}

} // namespace headscope::training::kernels
