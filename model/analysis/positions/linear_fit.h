#pragma once

#include "model/trace/matrix.h"

#include <cstddef>

namespace headscope::analysis {

using Rows = trace::BasicMatrix<double>;

/// B, [inputs' columns, outputs' columns], for which inputs * B comes nearest to `outputs` (least squares, no
/// ridge): Householder QR with column pivoting (Golub and Van Loan, section 5.4.2). Columns that follow from
/// others to within `dependent` of the largest get 0. Both have the same number of rows, which is at least
/// that of the inputs' columns.
Rows leastSquares(Rows inputs, Rows outputs, double dependent = 1e-6);

/// An orthonormal basis, [columns, count], of about the `count` directions along which `rows` is longest (its
/// leading right singular vectors), by power iteration from a fixed start (Halko, Martinsson and Tropp 2011,
/// algorithm 4.4). `count` is at most the number of rows and of columns.
Rows leadingDirections(const Rows& rows, std::size_t count);

Rows transposed(const Rows& matrix);

/// [a's rows, b's columns]
Rows product(const Rows& a, const Rows& b);

} // namespace headscope::analysis
