#pragma once

#include "model/trace/matrix.h"

#include <vector>

namespace headscope::trace {

/// The same values, owned: for what outlives whoever keeps those that `values` looks at.
inline Matrix copied(MatrixView values) {
    if (values.empty())
        return {values.rows(), values.columns()};
    const float* first = values.row(0).data();
    return {values.rows(), values.columns(), std::vector(first, first + values.rows() * values.columns())};
}

} // namespace headscope::trace
