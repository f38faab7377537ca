#include "app/models/blas_kernels.h"

#include <cstdlib>
#include <string>

namespace headscope::app {

void chooseBlasKernels(int threads) {
    constexpr int keepWhatIsSet = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        setenv("OPENBLAS_CORETYPE", "SKYLAKEX", keepWhatIsSet);
    else if (__builtin_cpu_supports("avx2"))
        setenv("OPENBLAS_CORETYPE", "HASWELL", keepWhatIsSet);
#endif
    // LibTorch and OpenBLAS each have a thread pool; one thread in each is faster than two in both.
    setenv("OPENBLAS_NUM_THREADS", std::to_string(threads > 0 ? threads : 1).c_str(), keepWhatIsSet);
}

} // namespace headscope::app
