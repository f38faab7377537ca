#include "model/analysis/maps/weights_and_cause.h"

#include "model/analysis/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::analysis {

std::optional<WeightsAndCause> compareWithCause(std::span<const float> weights,
                                                std::span<const std::uint8_t> open,
                                                std::span<const double> drops) {
    std::vector<std::size_t> keys;
    std::vector<double> looked;
    std::vector<double> lost;
    for (std::size_t key = 0; key < weights.size(); ++key) {
        if (!open[key] || !std::isfinite(weights[key]) || !std::isfinite(drops[key]))
            continue;
        keys.push_back(key);
        looked.push_back(static_cast<double>(weights[key]));
        lost.push_back(drops[key]);
    }
    if (keys.empty())
        return std::nullopt;
    const auto most = [&](const std::vector<double>& values) {
        return std::ranges::max_element(values) - values.begin();
    };
    double change = 0;
    for (const double drop : lost)
        change = std::max(change, std::abs(drop));
    return WeightsAndCause{.allowedKeys = keys.size(),
                           .largestWeight = keys[most(looked)],
                           .largestDrop = keys[most(lost)],
                           .weight = looked[most(looked)],
                           .drop = lost[most(lost)],
                           .largestChange = change,
                           .correlation = rankCorrelation(looked, lost)};
}

} // namespace headscope::analysis
