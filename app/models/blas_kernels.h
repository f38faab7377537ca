#pragma once

namespace headscope::app {

/// Sets the environment variables of OpenBLAS for kernels and a single thread, unless the user has set them:
/// OpenBLAS selects its kernels when it is loaded, and selects slow ones on processors newer than itself.
/// Call before the engine is loaded and before other threads start.
void chooseBlasKernels();

} // namespace headscope::app
