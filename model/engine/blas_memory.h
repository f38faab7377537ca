#pragma once

namespace headscope::engine {

/// Work buffers of OpenBLAS for as many products at a time as there are objects of this: it maps one for each
/// caller when it is needed, and where the system refuses, it asks again for ever, beyond the reach of any
/// stop token. The constructor throws trace::Refusal instead. Other BLAS libraries need nothing of this kind.
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
