#include "model/analysis/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headscope::analysis {

namespace {

std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t place) { return values[place]; });
    std::vector<double> ranks(values.size());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from + 1;
        while (to < order.size() && values[order[to]] == values[order[from]])
            ++to;
        for (std::size_t place = from; place < to; ++place)
            ranks[order[place]] = static_cast<double>(from + to - 1) / 2;
        from = to;
    }
    return ranks;
}

} // namespace

std::optional<double> rankCorrelation(std::span<const double> first, std::span<const double> second) {
    if (first.size() < 3 || first.size() != second.size())
        return std::nullopt;
    const auto one = ranks(first);
    const auto other = ranks(second);
    const double mean = static_cast<double>(first.size() - 1) / 2; // mean rank, also with ties
    double together = 0;
    double ofOne = 0;
    double ofOther = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        together += (one[i] - mean) * (other[i] - mean);
        ofOne += (one[i] - mean) * (one[i] - mean);
        ofOther += (other[i] - mean) * (other[i] - mean);
    }
    if (ofOne == 0 || ofOther == 0)
        return std::nullopt;
    return together / std::sqrt(ofOne * ofOther);
}

} // namespace headscope::analysis
