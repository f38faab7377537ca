#pragma once

#include "model/trace/matrix.h"

#include <cstddef>

namespace headscope::analysis {

/// Returns the cosine similarities of the first `count` rows (or all, if there are fewer), [count, count]; 0
/// for rows of zeros.
trace::Matrix cosineSimilarity(trace::MatrixView rows, std::size_t count);

} // namespace headscope::analysis
