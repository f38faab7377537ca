#pragma once

#include "model/trace/matrix.h"

#include <vector>

namespace headscope::trace {

/// Returns a copy that owns its values, for callers that outlive the storage behind `values`.
inline Matrix copied(MatrixView values) {
    if (values.empty())
        return {values.rows(), values.columns()};
    const float* first = values.row(0).data();
    return {values.rows(), values.columns(), std::vector(first, first + values.rows() * values.columns())};
}

} // namespace headscope::trace
