#pragma once

#include "model/trace/kernels.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#define HEADSCOPE_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__)
#define HEADSCOPE_AVX2 __attribute__((target("avx2,fma")))
#define HEADSCOPE_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#else // Kernels::Default is all there is
#define HEADSCOPE_AVX2
#define HEADSCOPE_AVX512
#endif

/// Defines the function `name`, compiled for each set of instructions, which calls that of the kernels in
/// use. `arguments` names the parameters again; the body follows. What the body calls should be inline, or it
/// has no vector instructions.
#define HEADSCOPE_VECTORISED(result, name, parameters, arguments)                                            \
    static HEADSCOPE_INLINE result name##Loop parameters;                                                    \
    static result name##Default parameters {                                                                 \
        return name##Loop arguments;                                                                         \
    }                                                                                                        \
    HEADSCOPE_AVX2 static result name##Avx2 parameters {                                                     \
        return name##Loop arguments;                                                                         \
    }                                                                                                        \
    HEADSCOPE_AVX512 static result name##Avx512 parameters {                                                 \
        return name##Loop arguments;                                                                         \
    }                                                                                                        \
    result name parameters {                                                                                 \
        static constexpr decltype(&name##Default) table[]{name##Default, name##Avx2, name##Avx512};          \
        return table[static_cast<std::size_t>(headscope::trace::kernelsInUse())] arguments;                  \
    }                                                                                                        \
    static HEADSCOPE_INLINE result name##Loop parameters

namespace headscope::trace {

/// Returns a bfloat16, the upper half of a float, as a float.
HEADSCOPE_INLINE float widenedBfloat16(std::uint16_t x) {
    const std::uint32_t bits = std::uint32_t{x} << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Returns a finite float16 (IEEE 754 binary16) as a float: exponent and mantissa are moved into those of a
/// float, and the factor corrects the exponent's bias.
HEADSCOPE_INLINE float widenedFloat16(std::uint16_t x) {
    const std::uint32_t bits = (std::uint32_t{x} & 0x7FFFU) << 13 | (std::uint32_t{x} & 0x8000U) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value * 0x1p112F;
}

} // namespace headscope::trace
