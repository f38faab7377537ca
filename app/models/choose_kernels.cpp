#include "app/models/choose_kernels.h"

#include "model/trace/kernels.h"

#include <array>
#include <cstdlib>

namespace headscope::app {

namespace {

struct Choice {
    const char* openBlas;
    const char* mkl;
    const char* libTorch;
};

/// By trace::Kernels.
constexpr std::array choices{
#define KERNELS(NAME, OPENBLAS, MKL, LIBTORCH) Choice{#OPENBLAS, #MKL, #LIBTORCH},
#include "app/models/kernels.def"
#undef KERNELS
};

} // namespace

void chooseKernels() {
    constexpr int keepWhatIsSet = 0;
    const auto kernels = trace::kernelsInUse();
#if defined(__x86_64__)
    const char* const asked = std::getenv("HEADSCOPE_KERNELS");
    const int replace = asked && *asked ? 1 : keepWhatIsSet;
    const auto& choice = choices[static_cast<std::size_t>(kernels)];
    setenv("OPENBLAS_CORETYPE", choice.openBlas, replace);
    setenv("MKL_ENABLE_INSTRUCTIONS", choice.mkl, replace);
    setenv("ATEN_CPU_CAPABILITY", choice.libTorch, replace);
#endif
    // Products are divided among the engine's own threads. Those of OpenBLAS and LibTorch, which wait without
    // sleeping, would take the processor from them.
    setenv("OPENBLAS_NUM_THREADS", "1", keepWhatIsSet);
    setenv("MKL_NUM_THREADS", "1", keepWhatIsSet);
}

} // namespace headscope::app
