#include "app/models/blas_kernels.h"

#include <cstdlib>

namespace headscope::app {

void chooseBlasKernels() {
    constexpr int keepWhatIsSet = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        setenv("OPENBLAS_CORETYPE", "SKYLAKEX", keepWhatIsSet);
    else if (__builtin_cpu_supports("avx2"))
        setenv("OPENBLAS_CORETYPE", "HASWELL", keepWhatIsSet);
#endif
    // Products are divided among the engine's own threads. Those of OpenBLAS and LibTorch, which wait without
    // sleeping, would take the processor from them.
    setenv("OPENBLAS_NUM_THREADS", "1", keepWhatIsSet);
}

} // namespace headscope::app
