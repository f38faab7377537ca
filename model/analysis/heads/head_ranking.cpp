#include "model/analysis/heads/head_ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::analysis {

std::vector<HeadScore> headScores(const trace::HeadImportance& measured, std::optional<std::size_t> step) {
    std::vector<HeadScore> scores;
    for (const auto& effect : measured.effects) {
        if (step)
            scores.push_back({.head = effect.head,
                              .importance = effect.importance.at(*step),
                              .divergence = effect.divergence.at(*step)});
        else
            scores.push_back(
                {.head = effect.head,
                 .importance = effect.total(),
                 .divergence = std::accumulate(effect.divergence.begin(), effect.divergence.end(), 0.0)});
    }
    return scores;
}

void rankByImportance(std::vector<HeadScore>& scores, bool areNumbers) {
    // NaN would break the strict weak ordering.
    const auto place = [areNumbers](const HeadScore& score) {
        return std::isnan(score.importance) ? -std::numeric_limits<double>::infinity()
               : areNumbers                 ? std::abs(score.importance)
                                            : score.importance;
    };
    std::ranges::sort(scores, [&](const HeadScore& one, const HeadScore& other) {
        return place(one) != place(other) ? place(one) > place(other) : one.head < other.head;
    });
}

double largestImportance(const std::vector<HeadScore>& scores) {
    double largest = 0;
    for (const auto& score : scores)
        if (std::isfinite(score.importance))
            largest = std::max(largest, std::abs(score.importance));
    return largest;
}

} // namespace headscope::analysis
