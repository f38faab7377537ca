#pragma once

#include <cstdint>
#include <cstring>

/// Compiles a function for several vector instruction sets and selects the widest one that the processor
/// supports.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__)
#define HEADSCOPE_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HEADSCOPE_VECTORISED
#endif
#define HEADSCOPE_INLINE inline __attribute__((always_inline))

namespace headscope::trace {

/// Returns e^x with a relative error below 5e-6, without a branch. The error is that large because the
/// compiler may reorder the operations, which loses the last digits of the remainder. NaN stays NaN.
HEADSCOPE_INLINE float fastExp(float x) {
    x = x < -87.0F ? -87.0F : x;
    x = x > 88.0F ? 88.0F : x;
    const float scaled = x * 1.44269504088896341F;
    const auto whole = static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5F : 0.5F));
    const auto n = static_cast<float>(whole);
    const float r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
    float p = 1.9875691500e-4F; // Cephes, expf.c
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const std::int32_t bits = (whole + 127) << 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return p * power;
}

/// Returns a bfloat16, the upper half of a float, as a float.
HEADSCOPE_INLINE float widenedBfloat16(std::uint16_t x) {
    const std::uint32_t bits = std::uint32_t{x} << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Returns 32 random bits for `place`: the finaliser of MurmurHash3 with a key.
HEADSCOPE_INLINE std::uint32_t randomWord(std::uint32_t place, std::uint32_t low, std::uint32_t high) {
    std::uint32_t h = place * 0x9E3779B1U ^ low;
    h ^= h >> 16;
    h = h * 0x85EBCA6BU + high;
    h ^= h >> 13;
    h *= 0xC2B2AE35U;
    return h ^ h >> 16;
}

} // namespace headscope::trace
