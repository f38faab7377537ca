#pragma once

#include "model/trace/matrix.h"

#include <cstddef>

namespace headscope::analysis {

/// Cosine of the angle between each two of the first `count` rows (fewer if there are fewer),
/// [count, count]; 0 where a row is all zeros.
trace::Matrix cosineSimilarity(trace::MatrixView rows, std::size_t count);

} // namespace headscope::analysis
