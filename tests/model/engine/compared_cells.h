#pragma once

#include "model/analysis/maps/cell_arithmetic.h"
#include "model/trace/run.h"
#include "tests/compared_numbers.h"

#include <algorithm>
#include <cmath>
#include <string>

/// Compares a cell's score and weight, computed in float64 from queries and keys in float32, with those of
/// the map, which the model computed in float32.
namespace engines {

using namespace headscope;

/// Products of a score: d_k, and what the rotation of query and key adds to the roundings.
inline std::size_t productsOf(const analysis::CellArithmetic& cell) {
    return cell.products.size() + (cell.isTurned ? 8 : 1);
}

inline tests::Comparison compareScore(const analysis::CellArithmetic& cell) {
    double sizes = 0;
    for (const double product : cell.products)
        sizes += std::abs(product * cell.scale.factor);
    return tests::compare("score of " + toString(cell.head), cell.score, cell.shownScore,
                          tests::ofSum(productsOf(cell), sizes) +
                              tests::ofRoundings(2, std::abs(cell.distance) + std::abs(cell.score)));
}

/// `projected` has the keys. Errors of scores change a weight by up to twice as much, relative to its size.
inline tests::Comparison compareWeight(const analysis::CellArithmetic& cell, const trace::Run& projected) {
    const auto& keys = projected.record(cell.head.site)->k;
    double longest = 0;
    for (std::size_t head = 0; head < keys.heads(); ++head)
        for (std::size_t key = 0; key < keys.rows(); ++key) {
            const auto row = keys.head(head).row(key);
            longest = std::max(longest, analysis::length({row.begin(), row.end()}));
        }
    const double scores = analysis::length(cell.q) * longest * std::abs(cell.scale.factor);
    return tests::compare("weight of " + toString(cell.head), cell.weight, cell.shownWeight,
                          2 * tests::ofSum(productsOf(cell), scores) +
                              tests::ofSoftmax(keys.rows(), std::max(scores, std::abs(cell.largest))));
}

} // namespace engines
