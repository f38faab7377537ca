#include "model/analysis/scores/heads_at_temperature.h"

#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/maps/mask_effect.h"
#include "model/analysis/maps/recomputed_map.h"

#include <algorithm>
#include <utility>

namespace headscope::analysis {

namespace {

constexpr std::size_t mostCells = 4'000'000; ///< cells of all heads for one temperature
constexpr std::size_t leastRows = 32;        ///< minimum rows per head, regardless of its cells
constexpr std::size_t mostOfAHead = 500'000; ///< cells per head, between two checks of the stop token

bool hasHead(const trace::AttentionRecord* record, const trace::HeadAddress& head) {
    return record && head.head < record->heads();
}

/// Returns `count` evenly spaced indices below `all`, each in the middle of its part.
std::vector<std::size_t> evenly(std::size_t all, std::size_t count) {
    std::vector<std::size_t> places(std::min(all, count));
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = (2 * i + 1) * all / (2 * places.size());
    return places;
}

/// One head of headsAtTemperature(); `rows` is 0 if no row has an entropy.
HeadAtTemperature atTemperature(const OpenScores& scores, double temperature) {
    HeadAtTemperature found;
    const auto weights = softmaxOf(scores, temperature);
    const auto entropies = entropiesOfRows(scores, weights);
    for (std::size_t row = 0; row < entropies.size(); ++row) {
        if (!entropies[row])
            continue;
        const double bits = *entropies[row];
        found.least = found.rows == 0 ? bits : std::min(found.least, bits);
        found.most = std::max(found.most, bits);
        found.mean += bits;
        if (const auto key = hardKey(scores.scores.row(row), scores.open.row(row)))
            found.hard += weights(row, *key);
        ++found.rows;
    }
    const auto rows = static_cast<double>(std::max<std::size_t>(1, found.rows));
    found.mean /= rows;
    found.hard /= rows;
    found.even = evenEntropy(scores).value_or(0);
    return found;
}

} // namespace

std::size_t rowsLookedAt(const trace::Run& run, const std::vector<trace::HeadAddress>& heads) {
    std::size_t cellsOfARow = 1;
    std::size_t longest = 1;
    for (const auto& head : heads)
        if (const auto* record = run.record(head.site)) {
            cellsOfARow += record->keys();
            longest = std::max(longest, record->keys());
        }
    return std::max(leastRows, std::min(mostCells / cellsOfARow, mostOfAHead / longest));
}

std::optional<OpenScores> openScoresOfRows(const trace::Run& run, const trace::HeadAddress& head,
                                           std::size_t count) {
    const auto* record = run.record(head.site);
    if (!hasHead(record, head))
        return std::nullopt;
    if (record->queries() <= count && !record->isRecomputed())
        return openScores(run, head);
    const auto places = evenly(record->queries(), count);
    auto scores = std::make_shared<trace::Matrix>(places.size(), record->keys());
    OpenScores some{.open = trace::MaskMatrix(places.size(), record->keys())};
    const auto& queries = fedTokens(run, head.site.kind);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto row = headRow(*record, head.head, places[i]);
        if (row.scores.empty())
            return std::nullopt;
        trace::MaskMatrix open(1, record->keys(), row.open);
        closeBlocked(run, head, places[i], open);
        std::ranges::copy(row.scores, &(*scores)(i, 0));
        std::ranges::copy(open.values(), &some.open(i, 0));
        some.padding.push_back(places[i] < queries.size() &&
                               queries[places[i]].role == trace::TokenRole::Padding);
    }
    for (const auto& change : trace::effective(run.request.interventions))
        if (const auto* forced = std::get_if<trace::ForceRow>(&change); forced && forced->head == head)
            if (const auto at = std::ranges::find(places, forced->query); at != places.end()) {
                some.forced.push_back(*forced);
                some.forced.back().query = at - places.begin();
            }
    some.again = std::move(scores);
    some.scores = trace::view(*some.again);
    return some;
}

std::vector<HeadAtTemperature> headsAtTemperature(const trace::Run& run,
                                                  const std::vector<trace::HeadAddress>& heads,
                                                  double temperature, const trace::Task& work) {
    std::vector<HeadAtTemperature> all;
    const auto rows = rowsLookedAt(run, heads);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        work.report(h, heads.size());
        const auto scores = openScoresOfRows(run, heads[h], rows);
        auto found = scores ? atTemperature(*scores, temperature) : HeadAtTemperature{};
        if (found.rows == 0)
            continue;
        found.head = heads[h];
        found.allRows = run.record(heads[h].site)->queries();
        all.push_back(found);
    }
    return all;
}

std::vector<HeadCurve> headsOverTemperature(const trace::Run& run,
                                            const std::vector<trace::HeadAddress>& heads, std::size_t points,
                                            const trace::Task& work) {
    std::vector<HeadCurve> all;
    const auto rows = rowsLookedAt(run, heads);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        work.report(h, heads.size());
        if (const auto scores = openScoresOfRows(run, heads[h], rows))
            if (auto curve = entropyOverTemperature(*scores, points, work.part(h, heads.size()));
                !curve.entropies.empty())
                all.push_back({heads[h], std::move(curve)});
    }
    return all;
}

} // namespace headscope::analysis
