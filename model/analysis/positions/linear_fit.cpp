#include "model/analysis/positions/linear_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace headscope::analysis {

namespace {

/// Norm of a column from row `from` on.
double lengthBelow(const Rows& matrix, std::size_t column, std::size_t from) {
    double squares = 0;
    for (std::size_t row = from; row < matrix.rows(); ++row)
        squares += matrix(row, column) * matrix(row, column);
    return std::sqrt(squares);
}

/// Applies the Householder reflection of `normal`, which starts at row `top`, to the columns from `from`.
void reflect(Rows& matrix, const std::vector<double>& normal, std::size_t top, std::size_t from) {
    const double squares = std::inner_product(normal.begin(), normal.end(), normal.begin(), 0.0);
    std::vector<double> along(matrix.columns());
    for (std::size_t row = 0; row < normal.size(); ++row)
        for (std::size_t column = from; column < matrix.columns(); ++column)
            along[column] += normal[row] * matrix(top + row, column);
    for (std::size_t row = 0; row < normal.size(); ++row)
        for (std::size_t column = from; column < matrix.columns(); ++column)
            matrix(top + row, column) -= 2 / squares * along[column] * normal[row];
}

void swapColumns(Rows& matrix, std::size_t one, std::size_t other) {
    for (std::size_t row = 0; one != other && row < matrix.rows(); ++row)
        std::swap(matrix(row, one), matrix(row, other));
}

std::size_t longestColumn(const Rows& matrix, std::size_t from) {
    std::vector<double> squares(matrix.columns());
    for (std::size_t row = from; row < matrix.rows(); ++row)
        for (std::size_t column = from; column < matrix.columns(); ++column)
            squares[column] += matrix(row, column) * matrix(row, column);
    return std::ranges::max_element(squares) - squares.begin();
}

/// Solves the upper triangular system `r` for the first `rank` unknowns.
Rows backSubstitute(const Rows& r, const Rows& right, const std::vector<std::size_t>& order,
                    std::size_t rank) {
    Rows solution(r.columns(), right.columns());
    for (std::size_t column = 0; column < right.columns(); ++column)
        for (std::size_t row = rank; row-- > 0;) {
            double sum = right(row, column);
            for (std::size_t later = row + 1; later < rank; ++later)
                sum -= r(row, later) * solution(order[later], column);
            solution(order[row], column) = sum / r(row, row);
        }
    return solution;
}

/// Gram-Schmidt, applied twice, because rounding of nearly parallel columns leaves errors after one pass.
void makeOrthonormal(Rows& basis) {
    for (std::size_t column = 0; column < basis.columns(); ++column) {
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t before = 0; before < column; ++before) {
                double along = 0;
                for (std::size_t row = 0; row < basis.rows(); ++row)
                    along += basis(row, before) * basis(row, column);
                for (std::size_t row = 0; row < basis.rows(); ++row)
                    basis(row, column) -= along * basis(row, before);
            }
        const double length = lengthBelow(basis, column, 0);
        for (std::size_t row = 0; row < basis.rows() && length > 0; ++row)
            basis(row, column) /= length;
    }
}

} // namespace

Rows transposed(const Rows& matrix) {
    Rows turned(matrix.columns(), matrix.rows());
    for (std::size_t row = 0; row < matrix.rows(); ++row)
        for (std::size_t column = 0; column < matrix.columns(); ++column)
            turned(column, row) = matrix(row, column);
    return turned;
}

Rows product(const Rows& a, const Rows& b) {
    assert(a.columns() == b.rows());
    Rows result(a.rows(), b.columns());
    for (std::size_t row = 0; row < a.rows(); ++row)
        for (std::size_t inner = 0; inner < a.columns(); ++inner)
            for (std::size_t column = 0; column < b.columns(); ++column)
                result(row, column) += a(row, inner) * b(inner, column);
    return result;
}

Rows leastSquares(Rows inputs, Rows outputs, double dependent) {
    assert(inputs.rows() == outputs.rows() && inputs.rows() >= inputs.columns());
    std::vector<std::size_t> order(inputs.columns());
    std::iota(order.begin(), order.end(), 0);
    double largest = 0;
    std::size_t rank = 0;
    for (; rank < inputs.columns(); ++rank) {
        const std::size_t pivot = longestColumn(inputs, rank);
        const double length = lengthBelow(inputs, pivot, rank);
        largest = std::max(largest, length);
        if (!(length > dependent * largest))
            break;
        swapColumns(inputs, rank, pivot);
        std::swap(order[rank], order[pivot]);
        std::vector<double> normal;
        for (std::size_t row = rank; row < inputs.rows(); ++row)
            normal.push_back(inputs(row, rank));
        normal.front() += std::copysign(length, normal.front());
        reflect(inputs, normal, rank, rank);
        reflect(outputs, normal, rank, 0);
    }
    return backSubstitute(inputs, outputs, order, rank);
}

Rows leadingDirections(const Rows& rows, std::size_t count) {
    assert(count <= rows.rows() && count <= rows.columns());
    constexpr int passes = 4;
    std::mt19937 random; // fixed seed, so that results are reproducible
    Rows basis(rows.columns(), count);
    for (double& value : basis.values())
        value = static_cast<double>(random()) / 0x80000000p0 - 1;
    const Rows across = transposed(rows);
    for (int pass = 0; pass < passes; ++pass) {
        makeOrthonormal(basis);
        basis = product(across, product(rows, basis));
    }
    makeOrthonormal(basis);
    return basis;
}

} // namespace headscope::analysis
