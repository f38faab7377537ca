#include "model/analysis/compare/aligned_maps.h"

#include "model/analysis/heads/head_similarity.h"
#include "model/analysis/heads/row_entropy.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::analysis {

namespace {

std::vector<MapSpan> spansOf(const std::vector<AxisUnit>& units) {
    std::vector<MapSpan> spans;
    for (const AxisUnit& unit : units)
        spans.push_back(unit.tokens);
    return spans;
}

/// The matched keys of one side, in order, and the unmatched ones.
struct SideKeys {
    std::vector<std::size_t> paired;
    std::vector<std::size_t> alone;

    SideKeys(const AlignedAxis& keys, std::optional<std::size_t> AlignedPlace::*side) {
        for (const AlignedPlace& place : keys.places)
            if (place.*side)
                (place.isPair() ? paired : alone).push_back(*(place.*side));
    }
};

struct KeyPairs {
    SideKeys first;
    SideKeys second;

    explicit KeyPairs(const AlignedAxis& keys)
        : first(keys, &AlignedPlace::first), second(keys, &AlignedPlace::second) {}
};

/// Returns the weights of the matched keys, followed by the total weight of all others.
std::vector<float> distribution(const UnitMap& map, std::size_t row, const SideKeys& keys) {
    std::vector<float> events;
    for (const std::size_t key : keys.paired)
        events.push_back(map.weights(row, key));
    double rest = map.padding[row];
    for (const std::size_t key : keys.alone)
        rest += map.weights(row, key);
    events.push_back(static_cast<float>(rest));
    return events;
}

std::optional<RowComparison> compareRows(const UnitMap& first, const UnitMap& second, const AlignedPlace& row,
                                         const KeyPairs& keys) {
    if (!row.isPair() || first.allowedKeys[*row.first] == 0 || second.allowedKeys[*row.second] == 0)
        return std::nullopt;
    const auto p = distribution(first, *row.first, keys.first);
    const auto q = distribution(second, *row.second, keys.second);
    return RowComparison{.divergence = jensenShannon(p, q),
                         .firstOutside = double(p.back()),
                         .secondOutside = double(q.back()),
                         .firstEntropy = rowEntropy(first.weights.row(*row.first)),
                         .secondEntropy = rowEntropy(second.weights.row(*row.second))};
}

bool hasPlaces(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
               const AlignedAxis& keys) {
    return !first.weights.empty() && !second.weights.empty() && !queries.places.empty() &&
           !keys.places.empty();
}

/// Fills in both runs' values of a cell, and their difference if both have it.
void fillCell(AlignedMaps& maps, const UnitMap& first, const UnitMap& second, Masked masked, std::size_t r,
              std::size_t c) {
    const AlignedPlace& row = maps.rows[r];
    const AlignedPlace& column = maps.columns[c];
    if (row.first && column.first) {
        maps.first(r, c) = first.weights(*row.first, *column.first);
        maps.firstOpen(r, c) = first.open(*row.first, *column.first);
    }
    if (row.second && column.second) {
        maps.second(r, c) = second.weights(*row.second, *column.second);
        maps.secondOpen(r, c) = second.open(*row.second, *column.second);
    }
    const int open = (maps.firstOpen(r, c) ? 1 : 0) + (maps.secondOpen(r, c) ? 1 : 0);
    if (!row.isPair() || !column.isPair() || open < (masked == Masked::IsZero ? 1 : 2))
        return;
    maps.both(r, c) = 1;
    maps.change(r, c) = maps.second(r, c) - maps.first(r, c);
    if (std::isfinite(maps.change(r, c)))
        maps.largest = std::max(maps.largest, static_cast<double>(std::abs(maps.change(r, c))));
}

std::vector<std::optional<double>> sumsOf(const AlignedMaps& maps, const trace::Matrix& weights,
                                          std::optional<std::size_t> AlignedPlace::*side) {
    std::vector<std::optional<double>> sums(maps.columns.size());
    for (std::size_t c = 0; c < maps.columns.size(); ++c) {
        if (!(maps.columns[c].*side))
            continue;
        double sum = 0;
        for (std::size_t r = 0; r < maps.rows.size(); ++r)
            if (maps.rows[r].*side && std::isfinite(weights(r, c)))
                sum += weights(r, c);
        sums[c] = sum;
    }
    return sums;
}

UnitMap unitsOf(const trace::HeadAddress& head, const MapTable& map, const std::vector<MapSpan>& queries,
                const std::vector<AxisUnit>& keys) {
    UnitMap made{.head = head};
    auto spans = spansOf(keys); // plus one span for the padding behind them
    spans.push_back({keys.empty() ? 0 : keys.back().tokens.last, map.mask.columns()});
    const auto table = byWords(map, queries, spans);
    const std::size_t units = keys.size();
    made.weights = trace::Matrix(table.values.rows(), units);
    made.open = trace::MaskMatrix(table.values.rows(), units);
    for (std::size_t r = 0; r < table.values.rows(); ++r) {
        for (std::size_t c = 0; c < units; ++c) {
            made.weights(r, c) = table.values(r, c);
            made.open(r, c) = table.mask(r, c);
        }
        made.padding.push_back(table.values.columns() > units ? table.values(r, units) : 0);
    }
    for (std::size_t r = 0; r < made.weights.rows(); ++r) {
        const bool isKnown =
            std::ranges::none_of(made.weights.row(r), [](float weight) { return std::isnan(weight); });
        const auto count = std::ranges::count_if(made.open.row(r), [](auto cell) { return cell != 0; });
        made.allowedKeys.push_back(isKnown ? count : 0);
    }
    return made;
}

} // namespace

HeadWeights::HeadWeights(const trace::Run& run, const trace::HeadAddress& head, std::optional<MapSpan> tokens,
                         const trace::Task& work)
    : head_(head) {
    const auto* record = run.recordOf(head);
    const auto h = head.head;
    if (!record)
        return;
    if (record->isRecomputed() && tokens) {
        again_ = trace::AttentionRecord{.site = head.site};
        again_->mask = trace::MaskMatrix(tokens->last - tokens->first, record->keys());
        std::vector<float> weights;
        for (std::size_t row = tokens->first; row < tokens->last; ++row) {
            const auto one = headRow(*record, h, row);
            weights.insert(weights.end(), one.weights.begin(), one.weights.end());
            std::ranges::copy(one.open, &again_->mask(row - tokens->first, 0));
        }
        again_->weights = {1, again_->mask.rows(), record->keys(), std::move(weights)};
        firstRow_ = tokens->first;
    } else if (record->isRecomputed()) {
        again_ = withWeightsOf(*record, h, work);
    }
    mask_ = again_ ? nullptr : &record->mask; // null means again_->mask, which moves with this object
    weights_ = again_ ? again_->weights.head(0) : record->weights.head(h);
}

UnitMap HeadWeights::units(const std::vector<AxisUnit>& queries, const std::vector<AxisUnit>& keys) const {
    if (empty())
        return {.head = head_};
    const auto& mask = mask_ ? *mask_ : again_->mask;
    const std::size_t first = queries.empty() ? firstRow_ : queries.front().tokens.first;
    const std::size_t last = queries.empty() ? firstRow_ : queries.back().tokens.last;
    const std::size_t rows = last - first;
    std::vector<MapSpan> ofQueries;
    for (const MapSpan& span : spansOf(queries))
        ofQueries.push_back({span.first - first, span.last - first});
    const auto from = static_cast<std::ptrdiff_t>((first - firstRow_) * mask.columns());
    const auto cells = static_cast<std::ptrdiff_t>(rows * mask.columns());
    const trace::MaskMatrix open(rows, mask.columns(),
                                 {mask.values().begin() + from, mask.values().begin() + from + cells});
    const trace::MatrixView weights(rows == 0 ? nullptr : weights_.row(first - firstRow_).data(), rows,
                                    weights_.columns());
    return unitsOf(head_, tableOf(weights, open), ofQueries, keys);
}

UnitMap unitMap(const trace::Run& run, const trace::HeadAddress& head, const std::vector<AxisUnit>& queries,
                const std::vector<AxisUnit>& keys, const trace::Task& work) {
    return HeadWeights(run, head, std::nullopt, work).units(queries, keys);
}

UnitMap unitMap(const trace::HeadAddress& head, const MapTable& map, const std::vector<AxisUnit>& queries,
                const std::vector<AxisUnit>& keys) {
    return unitsOf(head, map, spansOf(queries), keys);
}

namespace {

AlignedMaps alignUnits(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                       const AlignedAxis& keys, Masked masked) {
    AlignedMaps maps{.rows = queries.places, .columns = keys.places};
    const std::size_t rows = maps.rows.size();
    const std::size_t columns = maps.columns.size();
    maps.first = maps.second = maps.change = trace::Matrix(rows, columns);
    maps.firstOpen = maps.secondOpen = maps.both = trace::MaskMatrix(rows, columns);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            fillCell(maps, first, second, masked, r, c);
    return maps;
}

AlignedMaps compareUnits(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                         const AlignedAxis& keys) {
    auto maps = alignUnits(first, second, queries, keys, Masked::IsZero);
    const KeyPairs pairs(keys);
    for (const AlignedPlace& row : maps.rows)
        maps.rowComparisons.push_back(compareRows(first, second, row, pairs));
    maps.firstReceived = sumsOf(maps, maps.first, &AlignedPlace::first);
    maps.secondReceived = sumsOf(maps, maps.second, &AlignedPlace::second);
    return maps;
}

/// Returns some places of an axis with their units only.
AlignedAxis part(const AlignedAxis& axis, MapSpan places) {
    AlignedAxis some;
    for (std::size_t i = places.first; i < places.last; ++i) {
        AlignedPlace place = axis.places[i];
        if (place.first) {
            some.first.push_back(axis.first[*place.first]);
            place.first = some.first.size() - 1;
        }
        if (place.second) {
            some.second.push_back(axis.second[*place.second]);
            place.second = some.second.size() - 1;
        }
        some.places.push_back(place);
    }
    return some;
}

/// Returns the rows of a map that belong to `places`; empty means all rows.
std::optional<MapSpan> tokensOf(const AlignedAxis& axis, std::optional<MapSpan> places,
                                std::vector<AxisUnit> AlignedAxis::*side) {
    if (!places)
        return std::nullopt;
    const auto units = part(axis, *places).*side;
    return units.empty() ? MapSpan{} : MapSpan{units.front().tokens.first, units.back().tokens.last};
}

} // namespace

ComparedRows::ComparedRows(const trace::Run& first, const trace::HeadAddress& head, const trace::Run& second,
                           const trace::HeadAddress& other, const AlignedAxis& queries,
                           const AlignedAxis& keys, std::optional<MapSpan> places, const trace::Task& work)
    : queries_(queries), keys_(keys),
      first_(first, head, tokensOf(queries, places, &AlignedAxis::first), work.part(0, 2)),
      second_(second, other, tokensOf(queries, places, &AlignedAxis::second), work.part(1, 2)) {}

AlignedMaps ComparedRows::rows(MapSpan places) const {
    const auto queries = part(queries_, places);
    return compareUnits(first_.units(queries.first, keys_.first), second_.units(queries.second, keys_.second),
                        queries, keys_);
}

AlignedMaps compareMaps(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                        const AlignedAxis& keys) {
    return hasPlaces(first, second, queries, keys) ? compareUnits(first, second, queries, keys)
                                                   : AlignedMaps();
}

AlignedMaps alignMaps(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                      const AlignedAxis& keys, Masked masked) {
    return hasPlaces(first, second, queries, keys) ? alignUnits(first, second, queries, keys, masked)
                                                   : AlignedMaps();
}

HeadChange compareHeads(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                        const AlignedAxis& keys, const trace::Task& work) {
    HeadChange change{.head = first.head, .other = second.head};
    const KeyPairs pairs(keys);
    for (std::size_t place = 0; place < queries.places.size(); ++place) {
        work.report(place, queries.places.size());
        const AlignedPlace& row = queries.places[place];
        const auto compared =
            hasPlaces(first, second, queries, keys) ? compareRows(first, second, row, pairs) : std::nullopt;
        if (!compared || std::max(first.allowedKeys[*row.first], second.allowedKeys[*row.second]) < 2)
            continue;
        ++change.rows;
        change.divergence += compared->divergence;
        change.entropyChange += compared->secondEntropy - compared->firstEntropy;
        change.firstOutside += compared->firstOutside;
        change.secondOutside += compared->secondOutside;
        for (std::size_t k = 0; k < pairs.first.paired.size(); ++k) {
            const double cell = second.weights(*row.second, pairs.second.paired[k]) -
                                first.weights(*row.first, pairs.first.paired[k]);
            if (std::abs(cell) > std::abs(change.largest))
                change.largest = cell;
        }
    }
    const double rows =
        change.rows > 0 ? static_cast<double>(change.rows) : std::numeric_limits<double>::quiet_NaN();
    for (double* mean :
         {&change.divergence, &change.entropyChange, &change.firstOutside, &change.secondOutside})
        *mean /= rows;
    return change;
}

} // namespace headscope::analysis
