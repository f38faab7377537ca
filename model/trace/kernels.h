#pragma once

namespace headscope::trace {

/// Instruction sets that the program's own loops are compiled for (vectorised.h), narrowest first. `Default`
/// is what every processor of the architecture has: SSE2 on x86-64.
enum class Kernels { Default, Avx2, Avx512 };

/// Returns the value of HEADSCOPE_KERNELS that selects them.
const char* nameOf(Kernels kernels);

/// Returns the kernels that compute in this process: those that the environment variable HEADSCOPE_KERNELS
/// names when this is first called or, if it is unset or empty, the widest that the processor supports.
/// Throws Refusal if the variable has another value or the processor lacks the instructions.
Kernels kernelsInUse();

} // namespace headscope::trace
