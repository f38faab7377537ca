// Statistics of cross-attention.
#include "model/analysis/heads/map_statistics.h"
#include "model/analysis/rank_correlation.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

namespace {

using trace::Token;
using trace::TokenRole;

constexpr double rounding = 1e-9; // distances often equal the width exactly

/// Rows and keys without padding are both scaled to 0 to 1.
std::optional<double> nearDiagonal(const Map& map) {
    const auto texts = std::ranges::count_if(
        map.queries, [](const Token& token) { return token.role != TokenRole::Padding; });
    if (texts < 2 || map.textKeys < 2)
        return std::nullopt;
    Mean mean;
    for (const auto& row : map.rows) {
        double sum = 0;
        for (std::size_t key = 0; key < map.textKeys; ++key) {
            const double away = static_cast<double>(key) / static_cast<double>(map.textKeys - 1) -
                                static_cast<double>(row.query) / static_cast<double>(texts - 1);
            if (std::abs(away) <= scaledDiagonalWidth + rounding)
                sum += row.weights[key];
        }
        mean.add(sum);
    }
    return mean.value();
}

} // namespace

void addCrossStatistics(const Map& map, HeadStatistics& statistics) {
    statistics.expectedPositions.assign(map.queries.size(), std::nullopt);
    std::vector<double> times;
    std::vector<double> positions;
    for (const auto& row : map.rows) {
        double weight = 0;
        double moment = 0;
        for (std::size_t key = 0; key < map.keys.size(); ++key) {
            if (isSpecial(map.keys[key].role))
                continue;
            weight += row.weights[key];
            moment += row.weights[key] * static_cast<double>(key);
        }
        if (weight <= 0)
            continue;
        statistics.expectedPositions[row.query] = moment / weight;
        times.push_back(static_cast<double>(row.query));
        positions.push_back(moment / weight);
    }
    statistics.values[Statistic::Monotony] = rankCorrelation(times, positions);
    statistics.values[Statistic::ScaledDiagonal] = nearDiagonal(map);
}

} // namespace headscope::analysis
