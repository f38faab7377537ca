#pragma once

namespace headscope::engine {

/// Reserves OpenBLAS's work buffers for `callers` products at a time. OpenBLAS maps one for each caller when
/// it is needed; if the system refuses, it retries without end and cannot be cancelled. The constructor
/// throws trace::Refusal instead. Other BLAS libraries need nothing of this kind.
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
