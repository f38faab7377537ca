// Statistics of self-attention, where rows and columns are the same tokens.
#include "model/analysis/heads/map_statistics.h"

#include <array>
#include <cmath>
#include <utility>

namespace headscope::analysis {

namespace {

using trace::Token;
using trace::TokenRole;

/// Tokens without an id, such as those of embeddings, are known by their spelling.
bool isSame(const Token& one, const Token& other) {
    return one.id < 0 && other.id < 0 ? one.piece == other.piece : one.id == other.id;
}

/// Returns the key with the largest weight, ignoring end tokens; empty if it is not unique.
std::optional<std::size_t> largestKey(const MapRow& row, const std::vector<Token>& keys) {
    std::optional<std::size_t> largest;
    bool isSingle = false;
    for (std::size_t key = 0; key < keys.size(); ++key) {
        if (row.open[key] == 0 || keys[key].role == TokenRole::End)
            continue;
        if (!largest || row.weights[key] > row.weights[*largest]) {
            largest = key;
            isSingle = true;
        } else if (row.weights[key] == row.weights[*largest]) {
            isSingle = false;
        }
    }
    return isSingle ? largest : std::nullopt;
}

void addOffsets(const Map& map, OffsetVotes& votes) {
    for (const auto& row : map.rows) {
        const auto isChoice = [&](std::size_t key) {
            return row.open[key] != 0 && map.keys[key].role != TokenRole::End;
        };
        std::vector<int> offsets;
        for (std::size_t key = 0; key < map.keys.size(); ++key)
            if (isChoice(key))
                offsets.push_back(trace::TokenIndex(key) - row.query);
        if (offsets.size() < 2)
            continue;
        const auto largest = largestKey(row, map.keys);
        votes.addRow(offsets.front(), offsets.back(),
                     largest ? std::optional<int>(trace::TokenIndex(*largest) - row.query) : std::nullopt);
    }
}

void addNeighbours(const Map& map, StatisticValues& values) {
    constexpr std::array offsets{std::pair(Statistic::Diagonal, 0), std::pair(Statistic::Previous, -1),
                                 std::pair(Statistic::Next, 1)};
    for (const auto& [statistic, offset] : offsets) {
        Mean mean;
        for (const auto& row : map.rows) {
            const auto key = static_cast<std::ptrdiff_t>(row.query) + offset;
            if (key >= 0 && key < std::ssize(row.open) && row.open[key] != 0)
                mean.add(row.weights[key]);
        }
        values[statistic] = mean.value();
    }
}

void addDistances(const Map& map, StatisticValues& values) {
    Mean distance;
    Mean offset;
    Mean same;
    for (const auto& row : map.rows) {
        double far = 0;
        double signedFar = 0;
        double onSame = 0;
        bool hasSame = false;
        for (std::size_t key = 0; key < map.keys.size(); ++key) {
            const double step = static_cast<double>(key) - static_cast<double>(row.query);
            far += row.weights[key] * std::abs(step);
            signedFar += row.weights[key] * step;
            if (key == row.query || row.open[key] == 0 || !isSame(map.keys[key], map.queries[row.query]))
                continue;
            onSame += row.weights[key];
            hasSame = true;
        }
        distance.add(far);
        offset.add(signedFar);
        if (hasSame)
            same.add(onSame);
    }
    values[Statistic::Distance] = distance.value();
    values[Statistic::Offset] = offset.value();
    values[Statistic::SameToken] = same.value();
}

/// Weight on earlier occurrences of a row's token, and on the tokens that followed these.
void addRepetitions(const Map& map, HeadStatistics& statistics) {
    Mean duplicate;
    Mean induction;
    for (const auto& row : map.rows) {
        double onSame = 0;
        double onNext = 0;
        bool hasSame = false;
        bool hasNext = false;
        for (std::size_t key = 0; key < row.query; ++key) {
            if (!isSame(map.keys[key], map.queries[row.query]))
                continue;
            if (row.open[key] != 0) {
                onSame += row.weights[key];
                hasSame = true;
            }
            if (const auto next = key + 1; next < row.query && row.open[next] != 0) {
                onNext += row.weights[next];
                hasNext = true;
            }
        }
        if (hasSame)
            duplicate.add(onSame);
        if (hasNext) {
            induction.add(onNext);
            ++statistics.inductionRows;
        }
    }
    statistics.values[Statistic::DuplicateToken] = duplicate.value();
    statistics.values[Statistic::Induction] = induction.value();
}

} // namespace

void addSelfStatistics(const Map& map, HeadStatistics& statistics) {
    addDistances(map, statistics.values);
    addRepetitions(map, statistics);
    addNeighbours(map, statistics.values);
    addOffsets(map, statistics.offsets);
}

} // namespace headscope::analysis
