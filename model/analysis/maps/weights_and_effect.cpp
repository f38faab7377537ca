#include "model/analysis/maps/weights_and_effect.h"

#include "model/analysis/heads/head_similarity.h"

#include <cmath>
#include <vector>

namespace headscope::analysis {

namespace {

/// Divides the allowed values by their sum; empty if the sum is not a finite number above 0.
std::vector<float> shares(std::span<const float> values, std::span<const std::uint8_t> open) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += open[i] ? values[i] : 0;
    if (!(sum > 0) || !std::isfinite(sum))
        return {};
    std::vector<float> parts;
    for (std::size_t i = 0; i < values.size(); ++i)
        parts.push_back(open[i] ? static_cast<float>(values[i] / sum) : 0);
    return parts;
}

std::size_t largest(const std::vector<float>& values) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] > values[best])
            best = i;
    return best;
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
