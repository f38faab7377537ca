#include "model/analysis/heads/statistic.h"

namespace headscope::analysis {

std::string_view name(Statistic statistic) {
    constexpr std::array<std::string_view, statisticCount> names{"entropy",
                                                                 "normalised_entropy",
                                                                 "effective_keys",
                                                                 "confidence",
                                                                 "distance",
                                                                 "offset",
                                                                 "diagonal",
                                                                 "previous",
                                                                 "next",
                                                                 "first",
                                                                 "last",
                                                                 "end",
                                                                 "start",
                                                                 "punctuation",
                                                                 "sink",
                                                                 "same_token",
                                                                 "scaled_diagonal",
                                                                 "monotony",
                                                                 "duplicate_token",
                                                                 "induction",
                                                                 "a_reads_b",
                                                                 "b_reads_a"};
    return names[static_cast<std::size_t>(statistic)];
}

std::string_view shortName(Statistic statistic) {
    constexpr std::array<std::string_view, statisticCount> names{
        "bits", "of max", "keys",  "sure", "away", "offset", "diag", "prev",   "next",   "first", "last",
        "end",  "start",  "punct", "sink", "same", "scaled", "mono", "duplic", "induct", "ab",    "ba"};
    return names[static_cast<std::size_t>(statistic)];
}

StatisticRange rangeOf(Statistic statistic) {
    switch (statistic) {
    case Statistic::Entropy:
    case Statistic::Distance:
        return {.lowest = 0};
    case Statistic::EffectiveKeys:
        return {.lowest = 1};
    case Statistic::Offset:
        return {.lowest = std::nullopt};
    case Statistic::Monotony:
        return {.lowest = -1, .highest = 1};
    default: // shares of weight, and of the largest entropy
        return {.lowest = 0, .highest = 1};
    }
}

} // namespace headscope::analysis
