// Vectorised in every build, but without -fassociative-math (model/CMakeLists.txt), which would lose digits.
#include "model/trace/exponentials.h"

#include "model/trace/vectorised.h"

namespace headscope::trace {

namespace {

/// Returns e^x for x from -87 to 0, without a branch.
HEADSCOPE_INLINE float exponential(float x) {
    const float scaled = x * 1.44269504088896341F;
    const auto whole = static_cast<std::int32_t>(scaled - 0.5F);
    const auto n = static_cast<float>(whole);
    const float r = (x - n * 0.693359375F) - n * -2.12194440e-4F; // the first product is exact
    float p = 1.9875691500e-4F;                                   // Cephes, expf.c
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + r + 1.0F;
    const std::int32_t bits = (whole + 127) << 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return p * power;
}

} // namespace

HEADSCOPE_VECTORISED(void, exponentials, (float* row, std::size_t n, float largest), (row, n, largest)) {
    constexpr float least = -87.0F;
    for (std::size_t i = 0; i < n; ++i) {
        const float x = row[i] - largest;
        row[i] = exponential(x < least ? least : x) * static_cast<float>(x > least);
    }
}

} // namespace headscope::trace
