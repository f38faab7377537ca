#include "model/analysis/head_similarity.h"

#include "model/analysis/map_rows.h"
#include "model/analysis/statistics_of_heads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::analysis {

namespace {

using Group = std::vector<std::size_t>;

std::vector<std::vector<MapRow>> rowsOfHeads(const trace::Run& run, trace::AttentionKind kind,
                                             std::vector<trace::HeadAddress>& heads) {
    std::vector<std::vector<MapRow>> all;
    for (int layer = 0; const auto* record = run.record({kind, layer}); ++layer)
        for (std::size_t head = 0; head < record->weights.heads(); ++head) {
            heads.push_back({{kind, layer}, static_cast<int>(head)});
            all.push_back(validRows(*record, head, fedTokens(run, kind)));
            std::erase_if(all.back(), [](const MapRow& row) { return row.openKeys < 2; });
        }
    return all;
}

/// Rows that one of them does not have do not count.
double meanDivergence(const std::vector<MapRow>& first, const std::vector<MapRow>& second) {
    double sum = 0;
    std::size_t count = 0;
    for (auto one = first.begin(), other = second.begin(); one != first.end() && other != second.end();) {
        if (one->query != other->query) {
            one->query < other->query ? ++one : ++other;
            continue;
        }
        sum += jensenShannon(one->weights, other->weights);
        ++count;
        ++one;
        ++other;
    }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

double meanBetween(const trace::Matrix& values, const Group& first, const Group& second) {
    double sum = 0;
    for (const auto one : first)
        for (const auto other : second)
            sum += values(one, other);
    return sum / static_cast<double>(first.size() * second.size());
}

} // namespace

double jensenShannon(std::span<const float> first, std::span<const float> second) {
    double bits = 0;
    for (std::size_t key = 0; key < first.size(); ++key) {
        const double one = first[key];
        const double other = second[key];
        const double between = (one + other) / 2;
        if (one > 0)
            bits += one * std::log2(one / between) / 2;
        if (other > 0)
            bits += other * std::log2(other / between) / 2;
    }
    return std::clamp(bits, 0.0, 1.0); // rounding
}

HeadDivergences headDivergences(const trace::Run& run, trace::AttentionKind kind) {
    HeadDivergences divergences;
    const auto rows = rowsOfHeads(run, kind, divergences.heads);
    divergences.values = trace::Matrix(rows.size(), rows.size());
    for (std::size_t one = 0; one < rows.size(); ++one)
        for (std::size_t other = one + 1; other < rows.size(); ++other) {
            const auto value = static_cast<float>(meanDivergence(rows[one], rows[other]));
            divergences.values(one, other) = divergences.values(other, one) = value;
        }
    return divergences;
}

std::vector<std::vector<std::size_t>> similarHeads(const HeadDivergences& divergences, double threshold) {
    std::vector<Group> groups;
    for (std::size_t head = 0; head < divergences.heads.size(); ++head)
        groups.push_back({head});
    while (true) {
        double nearest = threshold;
        std::size_t into = 0;
        std::size_t from = 0;
        for (std::size_t one = 0; one < groups.size(); ++one)
            for (std::size_t other = one + 1; other < groups.size(); ++other)
                if (const double between = meanBetween(divergences.values, groups[one], groups[other]);
                    between < nearest) {
                    nearest = between;
                    into = one;
                    from = other;
                }
        if (from == 0)
            break;
        groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(from));
    }
    for (auto& group : groups)
        std::ranges::sort(group);
    std::ranges::sort(groups);
    return groups;
}

} // namespace headscope::analysis
