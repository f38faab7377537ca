#pragma once

#include "model/trace/matrix.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace headscope::trace {

/// Returns a copy that owns its values, for callers that outlive the storage behind `values`.
inline Matrix copied(MatrixView values) {
    if (values.empty())
        return {values.rows(), values.columns()};
    const float* first = values.row(0).data();
    return {values.rows(), values.columns(), std::vector(first, first + values.rows() * values.columns())};
}

/// Returns the values row by row, with NaN in masked cells. Null `mask`: all cells are allowed.
inline std::vector<float> allowedValues(MatrixView values, const MaskMatrix* mask) {
    std::vector<float> all;
    all.reserve(values.rows() * values.columns());
    for (std::size_t row = 0; row < values.rows(); ++row)
        for (std::size_t column = 0; column < values.columns(); ++column)
            all.push_back(!mask || (*mask)(row, column) != 0 ? values(row, column)
                                                             : std::numeric_limits<float>::quiet_NaN());
    return all;
}

} // namespace headscope::trace
