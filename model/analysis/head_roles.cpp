#include "model/analysis/head_roles.h"

#include <algorithm>
#include <array>

namespace headscope::analysis {

namespace {

constexpr std::size_t corpusSentences = 200;
constexpr std::size_t corpusRows = 1000;
constexpr double positionalShare = 0.9;
constexpr double leastEvenEntropy = 0.9;
constexpr double alignedMonotony = 0.8;
constexpr double halfOfWeight = 0.5;

double threshold(RoleKind kind) {
    switch (kind) {
    case RoleKind::Positional:
        return positionalShare;
    case RoleKind::Aligning:
        return alignedMonotony;
    default:
        return halfOfWeight;
    }
}

std::optional<HeadRole> positional(const HeadStatistics& statistics) {
    const auto best = statistics.offsets.best();
    if (!best || best->share < positionalShare)
        return std::nullopt;
    // Evenly spread weights are largest nowhere.
    return HeadRole{
        .kind = RoleKind::Positional, .offset = best->offset, .number = best->share, .uniform = 0};
}

/// One of those that are the value of a statistic.
std::optional<HeadRole> byStatistic(RoleKind kind, const HeadStatistics& statistics) {
    HeadRole role{.kind = kind};
    const auto number = numberBehind(role, statistics);
    if (!number || *number < threshold(kind))
        return std::nullopt;
    role.number = *number;
    role.uniform = statistics.uniform[drivingStatistic(role)];
    if (role.uniform && *role.uniform >= threshold(kind))
        return std::nullopt;
    if (kind == RoleKind::Aligning) {
        role.confidence = statistics.values[Statistic::Confidence];
        if (role.confidence < halfOfWeight)
            return std::nullopt;
    }
    return role;
}

} // namespace

bool speaksOfCorpus(const HeadStatistics& statistics) {
    return statistics.sentences >= corpusSentences && statistics.rows >= corpusRows;
}

std::vector<HeadRole> rolesOf(const HeadStatistics& statistics) {
    std::vector<HeadRole> roles;
    if (const auto role = positional(statistics))
        roles.push_back(*role);
    for (const auto kind : {RoleKind::Aligning, RoleKind::End, RoleKind::Start, RoleKind::Punctuation,
                            RoleKind::Sink, RoleKind::SameToken})
        if (const auto role = byStatistic(kind, statistics))
            roles.push_back(*role);
    return roles;
}

bool isBroad(const HeadStatistics& statistics) {
    const auto entropy = statistics.values[Statistic::NormalisedEntropy];
    return entropy && *entropy >= leastEvenEntropy;
}

std::optional<double> numberBehind(const HeadRole& role, const HeadStatistics& statistics) {
    if (role.kind == RoleKind::Positional)
        return statistics.offsets.rows() == 0 ? std::nullopt
                                              : std::optional(statistics.offsets.share(role.offset));
    return statistics.values[drivingStatistic(role)];
}

Statistic drivingStatistic(const HeadRole& role) {
    switch (role.kind) {
    case RoleKind::Positional:
        return role.offset == 0    ? Statistic::Diagonal
               : role.offset == -1 ? Statistic::Previous
               : role.offset == 1  ? Statistic::Next
                                   : Statistic::Confidence;
    case RoleKind::Aligning:
        return Statistic::Monotony;
    case RoleKind::End:
        return Statistic::End;
    case RoleKind::Start:
        return Statistic::Start;
    case RoleKind::Punctuation:
        return Statistic::Punctuation;
    case RoleKind::Sink:
        return Statistic::Sink;
    case RoleKind::SameToken:
        break;
    }
    return Statistic::SameToken;
}

} // namespace headscope::analysis
