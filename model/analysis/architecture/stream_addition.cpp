#include "model/analysis/architecture/stream_addition.h"

#include "model/analysis/maps/cell_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace headscope::analysis {

namespace {

std::vector<double> doubles(std::span<const float> values) {
    return {values.begin(), values.end()};
}

double innerProduct(const std::vector<double>& one, const std::vector<double>& other) {
    return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

} // namespace

std::optional<StreamAddition> streamAddition(const trace::RowContributions& row, std::size_t key) {
    if (key >= row.added.rows() || row.sublayer.size() != row.added.columns())
        return std::nullopt;
    StreamAddition addition{.added = doubles(row.added.row(key)),
                            .head = std::vector<double>(row.added.columns())};
    for (std::size_t k = 0; k < row.added.rows(); ++k)
        for (std::size_t d = 0; d < addition.head.size(); ++d)
            addition.head[d] += static_cast<double>(row.added(k, d));
    const auto bias = row.bias.empty() ? std::vector<double>(addition.head.size()) : doubles(row.bias);
    const auto sublayer = doubles(row.sublayer);
    const auto most = std::ranges::max_element(addition.added, {}, [](double x) { return std::abs(x); });
    addition.largest = most - addition.added.begin();
    addition.length = length(addition.added);
    addition.lengthOfHead = length(addition.head);
    addition.lengthOfSublayer = length(sublayer);
    addition.lengthOfBias = length(bias);
    addition.lengthBefore = length(doubles(row.before));
    if (addition.lengthOfSublayer == 0)
        return addition;
    const double squared = innerProduct(sublayer, sublayer);
    addition.share = innerProduct(addition.added, sublayer) / squared;
    addition.shareOfHead = innerProduct(addition.head, sublayer) / squared;
    addition.shareOfBias = innerProduct(bias, sublayer) / squared;
    if (addition.length > 0)
        addition.cosine =
            innerProduct(addition.added, sublayer) / (addition.length * addition.lengthOfSublayer);
    return addition;
}

} // namespace headscope::analysis
