#pragma once

#include <string>

namespace headscope::engine {

/// Returns the name and version of the BLAS library that multiplies matrices and, of OpenBLAS, the processor
/// that its kernels are made for: "OpenBLAS 0.3.21 SkylakeX".
std::string blasDescription();

/// Reserves OpenBLAS work buffers for `callers` simultaneous matrix products. OpenBLAS maps one buffer per
/// caller on demand; if the system refuses, it retries endlessly and cannot be cancelled. The constructor
/// throws trace::Refusal instead. Has no effect with other BLAS libraries.
class BlasMemory {
  public:
    explicit BlasMemory(int callers);
    BlasMemory(const BlasMemory&) = delete;
    BlasMemory& operator=(const BlasMemory&) = delete;
    ~BlasMemory();

  private:
    int callers_;
};

} // namespace headscope::engine
