#pragma once

#include <cstddef>

namespace headscope::trace {

/// row[i] = e^(row[i] - largest), for `n` numbers of which none is above `largest`; exactly 0 below e^-87.
/// The relative error is below 1e-7. NaN stays NaN.
void exponentials(float* row, std::size_t n, float largest);

} // namespace headscope::trace
