#include "model/analysis/heads/head_roles.h"

#include <algorithm>
#include <array>

namespace headscope::analysis {

namespace {

constexpr std::size_t corpusSentences = 200;
constexpr std::size_t corpusRows = 1000;
constexpr double positionalShare = 0.9;
constexpr double alignedMonotony = 0.8;
constexpr double halfOfWeight = 0.5;

std::optional<HeadRole> positional(const HeadStatistics& statistics) {
    const auto best = statistics.offsets.best();
    if (!best || best->share < positionalShare)
        return std::nullopt;
    // Uniform weights have no largest key, so their share is 0.
    return HeadRole{
        .kind = RoleKind::Positional, .offset = best->offset, .number = best->share, .uniform = 0};
}

/// Returns a role that is given for the value of a statistic.
std::optional<HeadRole> byStatistic(RoleKind kind, const HeadStatistics& statistics) {
    HeadRole role{.kind = kind};
    const auto near = nearness(role, statistics);
    if (!near || *near < 1)
        return std::nullopt;
    role.number = *numberBehind(role, statistics);
    role.uniform = statistics.uniform[drivingStatistic(role)];
    if (needsOf(kind).confidence)
        role.confidence = statistics.values[Statistic::Confidence];
    const auto& tokens = statistics.sinkTokens;
    role.sinkToken = static_cast<SinkToken>(std::ranges::max_element(tokens) - tokens.begin());
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
    for (const auto kind : {RoleKind::Aligning, RoleKind::Reversed, RoleKind::End, RoleKind::Start,
                            RoleKind::Punctuation, RoleKind::Sink, RoleKind::SameToken})
        if (const auto role = byStatistic(kind, statistics))
            roles.push_back(*role);
    return roles;
}

bool isBroad(const HeadStatistics& statistics) {
    const auto entropy = statistics.values[Statistic::NormalisedEntropy];
    return entropy && *entropy >= broadEntropy;
}

std::optional<double> numberBehind(const HeadRole& role, const HeadStatistics& statistics) {
    if (role.kind == RoleKind::Positional)
        return statistics.offsets.rows() == 0 ? std::nullopt
                                              : std::optional(statistics.offsets.share(role.offset));
    return statistics.values[drivingStatistic(role)];
}

RoleNeeds needsOf(RoleKind kind) {
    switch (kind) {
    case RoleKind::Positional:
        return {.number = positionalShare};
    case RoleKind::Aligning:
        return {.number = alignedMonotony, .confidence = halfOfWeight};
    case RoleKind::Reversed:
        return {.number = -alignedMonotony, .confidence = halfOfWeight};
    default:
        return {.number = halfOfWeight};
    }
}

std::optional<double> nearness(const HeadRole& role, const HeadStatistics& statistics) {
    const RoleNeeds needs = needsOf(role.kind);
    const auto number = numberBehind(role, statistics);
    // Uniform weights have no largest key, so Positional needs no comparison with them.
    const auto& even = statistics.uniform[drivingStatistic(role)];
    if (!number || (role.kind != RoleKind::Positional && even && *even / needs.number >= 1))
        return std::nullopt;
    const double near = *number / needs.number;
    return needs.confidence
               ? std::min(near, statistics.values[Statistic::Confidence].value_or(0) / *needs.confidence)
               : near;
}

Statistic drivingStatistic(const HeadRole& role) {
    switch (role.kind) {
    case RoleKind::Positional:
        return role.offset == 0    ? Statistic::Diagonal
               : role.offset == -1 ? Statistic::Previous
               : role.offset == 1  ? Statistic::Next
                                   : Statistic::Confidence;
    case RoleKind::Aligning:
    case RoleKind::Reversed:
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
