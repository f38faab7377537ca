#pragma once

namespace headscope::app {

/// OpenBLAS chooses its kernels when it is loaded, and takes slow ones on processors newer than itself. Names
/// the right ones and one thread in its environment variables, unless the person has set them. Call it before
/// the engine is loaded and before other threads start.
void chooseBlasKernels(int threads);

} // namespace headscope::app
