#include "model/analysis/heads/head_roles.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

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

/// All kinds but Positional, in the order of RoleKind.
constexpr std::array statisticalRoles{RoleKind::Aligning,  RoleKind::Reversed,    RoleKind::End,
                                      RoleKind::Start,     RoleKind::Punctuation, RoleKind::Sink,
                                      RoleKind::SameToken, RoleKind::Induction,   RoleKind::DuplicateToken};

/// A causal head has induction and duplicate tokens where another has the same token.
bool appliesTo(RoleKind kind, trace::AttentionKind heads) {
    const bool isCausal = heads == trace::AttentionKind::DecoderSelf;
    return kind == RoleKind::SameToken                                       ? !isCausal
           : kind == RoleKind::Induction || kind == RoleKind::DuplicateToken ? isCausal
                                                                             : true;
}

/// Adds the numbers of a head to a role; `role` must apply to it.
void addNumbers(const HeadStatistics& statistics, HeadRole& role) {
    role.number = *numberBehind(role, statistics);
    role.uniform = role.kind == RoleKind::Positional ? 0 : statistics.uniform[drivingStatistic(role)];
    if (needsOf(role.kind).confidence)
        role.confidence = statistics.values[Statistic::Confidence];
    const auto& tokens = statistics.sinkTokens;
    role.sinkToken = static_cast<SinkToken>(std::ranges::max_element(tokens) - tokens.begin());
    role.rows = role.kind == RoleKind::Induction ? statistics.inductionRows : 0;
}

/// Returns a role that is given for the value of a statistic.
std::optional<HeadRole> byStatistic(RoleKind kind, const HeadStatistics& statistics) {
    HeadRole role{.kind = kind};
    const auto near = nearness(role, statistics);
    if (!near || *near < 1)
        return std::nullopt;
    addNumbers(statistics, role);
    return role;
}

/// Who has a role, or comes nearest.
RoleAmongHeads among(const HeadRole& role, const std::vector<HeadStatistics>& heads) {
    RoleAmongHeads found{.kind = role.kind, .offset = role.offset, .needs = needsOf(role.kind)};
    const HeadStatistics* nearest = nullptr;
    double most = 0;
    for (const auto& head : heads) {
        const auto near = nearness(role, head);
        if (!near)
            continue;
        if (*near >= 1) {
            // Of two offsets that a head of two rows has, only the best one is its role.
            if (role.kind != RoleKind::Positional || positional(head)->offset == role.offset)
                found.heads.push_back(head.head);
        } else if (*near >= 0 && (!nearest || *near > most)) {
            nearest = &head;
            most = *near;
        }
    }
    if (found.heads.empty() && nearest) {
        found.nearest = {.head = nearest->head, .role = role, .nearness = most};
        addNumbers(*nearest, found.nearest->role);
    }
    return found;
}

} // namespace

bool speaksOfCorpus(const HeadStatistics& statistics) {
    return statistics.sentences >= corpusSentences && statistics.rows >= corpusRows;
}

std::vector<HeadRole> rolesOf(const HeadStatistics& statistics) {
    std::vector<HeadRole> roles;
    if (const auto role = positional(statistics))
        roles.push_back(*role);
    for (const auto kind : statisticalRoles)
        if (const auto role = byStatistic(kind, statistics))
            roles.push_back(*role);
    const auto isOfCopies = [](const HeadRole& role) {
        return role.kind == RoleKind::Induction || role.kind == RoleKind::DuplicateToken;
    };
    if (!roles.empty() && std::abs(roles.front().offset) > 1 && std::ranges::any_of(roles, isOfCopies))
        std::ranges::rotate(roles, roles.begin() + 1);
    return roles;
}

bool isBroad(const HeadStatistics& statistics) {
    const auto entropy = statistics.values[Statistic::NormalisedEntropy];
    return entropy && *entropy >= broadEntropy;
}

std::optional<double> numberBehind(const HeadRole& role, const HeadStatistics& statistics) {
    if (role.kind == RoleKind::Positional)
        return statistics.offsets.share(role.offset);
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
    if (!number || !appliesTo(role.kind, statistics.head.site.kind) ||
        (role.kind != RoleKind::Positional && even && *even / needs.number >= 1))
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
    case RoleKind::Induction:
        return Statistic::Induction;
    case RoleKind::DuplicateToken:
        return Statistic::DuplicateToken;
    case RoleKind::SameToken:
        break;
    }
    return Statistic::SameToken;
}

std::vector<RoleAmongHeads> rolesAmong(const std::vector<HeadStatistics>& heads) {
    std::vector<HeadRole> roles;
    for (const int offset : {-1, 1, 0})
        roles.push_back({.kind = RoleKind::Positional, .offset = offset});
    std::set<int> others;
    for (const auto& head : heads)
        if (const auto role = positional(head); role && std::abs(role->offset) > 1)
            others.insert(role->offset);
    for (const int offset : others)
        roles.push_back({.kind = RoleKind::Positional, .offset = offset});
    for (const auto kind : statisticalRoles)
        roles.push_back({.kind = kind});
    std::vector<RoleAmongHeads> all;
    for (const auto& role : roles)
        if (auto found = among(role, heads); !found.heads.empty() || found.nearest)
            all.push_back(std::move(found));
    return all;
}

} // namespace headscope::analysis
