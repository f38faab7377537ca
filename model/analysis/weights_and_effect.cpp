#include "model/analysis/weights_and_effect.h"

#include <cmath>
#include <vector>

namespace headscope::analysis {

namespace {

/// Open values over their sum; empty where they have none that is a number above 0.
std::vector<double> shares(std::span<const float> values, std::span<const std::uint8_t> open) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += open[i] ? values[i] : 0;
    if (!(sum > 0) || !std::isfinite(sum))
        return {};
    std::vector<double> parts;
    for (std::size_t i = 0; i < values.size(); ++i)
        parts.push_back(open[i] ? values[i] / sum : 0);
    return parts;
}

std::size_t largest(const std::vector<double>& values) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] > values[best])
            best = i;
    return best;
}

/// p log2(p / q), with 0 log 0 = 0.
double surprise(double p, double q) {
    return p > 0 ? p * std::log2(p / q) : 0;
}

double jensenShannon(const std::vector<double>& one, const std::vector<double>& other) {
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const double middle = (one[i] + other[i]) / 2;
        sum += (surprise(one[i], middle) + surprise(other[i], middle)) / 2;
    }
    return sum;
}

} // namespace

std::optional<WeightsAndEffect> compareWithEffect(std::span<const float> weights,
                                                  std::span<const float> lengths,
                                                  std::span<const std::uint8_t> open) {
    const auto looked = shares(weights, open);
    const auto added = shares(lengths, open);
    if (looked.empty() || added.empty())
        return std::nullopt;
    const std::size_t eye = largest(looked);
    const std::size_t hand = largest(added);
    return WeightsAndEffect{.largestWeight = eye,
                            .largestShare = hand,
                            .weight = looked[eye],
                            .weightOfShare = looked[hand],
                            .share = added[hand],
                            .shareOfWeight = added[eye],
                            .divergence = jensenShannon(looked, added)};
}

} // namespace headscope::analysis
