#include "model/analysis/positions/positional_geometry.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace headscope::analysis {

namespace {

double dot(std::span<const float> one, std::span<const float> other) {
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        sum += static_cast<double>(one[i]) * other[i];
    return sum;
}

} // namespace

trace::Matrix cosineSimilarity(trace::MatrixView rows, std::size_t count) {
    count = std::min(count, rows.rows());
    std::vector<double> lengths(count);
    for (std::size_t i = 0; i < count; ++i)
        lengths[i] = std::sqrt(dot(rows.row(i), rows.row(i)));
    trace::Matrix similarity(count, count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i; j < count; ++j) {
            const double product = lengths[i] * lengths[j];
            const double cosine = product > 0 ? dot(rows.row(i), rows.row(j)) / product : 0;
            similarity(i, j) = similarity(j, i) = static_cast<float>(cosine);
        }
    return similarity;
}

} // namespace headscope::analysis
