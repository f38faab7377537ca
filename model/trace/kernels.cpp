#include "model/trace/kernels.h"

#include "model/trace/refusal.h"

#include <array>
#include <cstdlib>
#include <string>

namespace headscope::trace {

namespace {

constexpr std::array<const char*, 3> names{"default", "avx2", "avx512"};

/// Returns the instructions that the processor lacks; empty if it supports the kernels. The sets are those
/// that OpenBLAS and LibTorch need for theirs, too.
std::string missingInstructions(Kernels kernels) {
    std::string missing;
    [[maybe_unused]] const auto require = [&missing](bool has, const char* name) {
        if (!has)
            missing += (missing.empty() ? "" : ", ") + std::string(name);
    };
#if defined(__x86_64__) && defined(__GNUC__)
    if (kernels != Kernels::Default) {
        require(__builtin_cpu_supports("avx2"), "AVX2");
        require(__builtin_cpu_supports("fma"), "FMA");
    }
    if (kernels == Kernels::Avx512) {
        require(__builtin_cpu_supports("avx512f"), "AVX512F");
        require(__builtin_cpu_supports("avx512bw"), "AVX512BW");
        require(__builtin_cpu_supports("avx512dq"), "AVX512DQ");
        require(__builtin_cpu_supports("avx512vl"), "AVX512VL");
    }
#else
    require(kernels == Kernels::Default, "those of x86-64");
#endif
    return missing;
}

Kernels widest() {
    for (const auto kernels : {Kernels::Avx512, Kernels::Avx2})
        if (missingInstructions(kernels).empty())
            return kernels;
    return Kernels::Default;
}

Kernels chosen() {
    const char* const value = std::getenv("HEADSCOPE_KERNELS");
    if (!value || !*value)
        return widest();
    std::string usable = "unset it, or use ";
    for (std::size_t i = 0; i <= static_cast<std::size_t>(widest()); ++i)
        usable += (i > 0 ? " or " : "") + std::string(names[i]);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::string(value) != names[i])
            continue;
        const auto kernels = static_cast<Kernels>(i);
        if (const auto missing = missingInstructions(kernels); !missing.empty())
            throw Refusal({.what = std::string("This processor cannot run the ") + value + " kernels",
                           .where = "the environment variable HEADSCOPE_KERNELS",
                           .expected = "kernels that the processor supports",
                           .found = "a processor without " + missing,
                           .wayOut = usable});
        return kernels;
    }
    throw Refusal({.what = "Unknown kernels",
                   .where = "the environment variable HEADSCOPE_KERNELS",
                   .expected = "default, avx2 or avx512",
                   .found = value,
                   .wayOut = usable});
}

} // namespace

const char* nameOf(Kernels kernels) {
    return names[static_cast<std::size_t>(kernels)];
}

Kernels kernelsInUse() {
    static const Kernels kernels = chosen();
    return kernels;
}

} // namespace headscope::trace
