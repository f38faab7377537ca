#pragma once

#include "model/trace/matrix.h"

#include <cstddef>

namespace headscope::analysis {

using Rows = trace::BasicMatrix<double>;

/// Returns B, [input columns, output columns], that minimises |inputs B - outputs| (least squares without
/// regularisation), by Householder QR with column pivoting (Golub and Van Loan, section 5.4.2). Input columns
/// that depend linearly on others, to within `dependent` of the largest, get 0. Both arguments have the same
/// number of rows, at least the number of input columns.
Rows leastSquares(Rows inputs, Rows outputs, double dependent = 1e-6);

/// Returns an orthonormal basis, [columns, count], that approximates the `count` leading right singular
/// vectors of `rows`, by power iteration from a fixed start (Halko, Martinsson and Tropp 2011, algorithm
/// 4.4). `count` is at most the number of rows and of columns.
Rows leadingDirections(const Rows& rows, std::size_t count);

Rows transposed(const Rows& matrix);

/// Returns a b, [rows of a, columns of b].
Rows product(const Rows& a, const Rows& b);

} // namespace headscope::analysis
