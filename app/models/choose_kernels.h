#pragma once

namespace headscope::app {

/// Sets the environment variables that select the kernels of OpenBLAS, MKL and LibTorch: those for the
/// instructions of trace::kernelsInUse(), and a single thread. These libraries read them when they are
/// loaded, and OpenBLAS selects slow kernels on processors newer than itself. Variables that the user has set
/// stay, unless HEADSCOPE_KERNELS is set, too. Call before the engine is loaded and before other threads
/// start. Throws trace::Refusal if HEADSCOPE_KERNELS cannot be followed.
void chooseKernels();

} // namespace headscope::app
