#include "model/analysis/scores/softmax_temperature.h"

#include "model/analysis/heads/row_entropy.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/analysis/maps/mask_effect.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace headscope::analysis {

namespace {

std::size_t allowedKeys(const OpenScores& scores, std::size_t row) {
    return std::ranges::count_if(scores.open.row(row), [](auto cell) { return cell != 0; });
}

void softmaxRow(const OpenScores& scores, std::size_t row, double temperature, trace::Matrix& weights) {
    const auto given = scores.scores.row(row);
    const auto open = scores.open.row(row);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t key = 0; key < given.size(); ++key)
        if (open[key])
            largest = std::max<double>(largest, given[key]);
    std::vector<double> terms(given.size());
    double sum = 0;
    for (std::size_t key = 0; key < given.size(); ++key)
        if (open[key])
            sum += terms[key] = std::exp((given[key] - largest) / temperature);
    if (sum > 0)
        for (std::size_t key = 0; key < given.size(); ++key)
            weights(row, key) = static_cast<float>(terms[key] / sum);
}

} // namespace

std::optional<OpenScores> openScores(const trace::Run& run, const trace::HeadAddress& head,
                                     const trace::Task& work) {
    const auto* record = run.recordOf(head);
    const auto index = head.head;
    if (!record || (!record->isRecomputed() && index >= record->scores.heads()))
        return std::nullopt;
    OpenScores scores{.open = maskOf(*record)};
    if (record->isRecomputed()) {
        scores.again = std::make_shared<const trace::Matrix>(recomputedScores(*record, index, work));
        scores.scores = trace::view(*scores.again);
    } else {
        scores.scores = record->scores.head(index);
    }
    closeBlocked(run, head, 0, scores.open);
    for (const auto& change : trace::effective(run.request.interventions))
        if (const auto* forced = std::get_if<trace::ForceRow>(&change);
            forced && forced->head == head && forced->query < scores.open.rows())
            scores.forced.push_back(*forced);
    const auto& queries = fedTokens(run, head.site.kind);
    for (std::size_t row = 0; row < scores.open.rows(); ++row)
        scores.padding.push_back(row < queries.size() && queries[row].role == trace::TokenRole::Padding);
    return scores;
}

trace::Matrix softmaxOf(const OpenScores& scores, double temperature) {
    trace::Matrix weights(scores.scores.rows(), scores.scores.columns());
    for (std::size_t row = 0; row < weights.rows(); ++row)
        softmaxRow(scores, row, temperature, weights);
    for (const auto& forced : scores.forced)
        forceWeights(forced,
                     std::span(weights.values()).subspan(forced.query * weights.columns(), weights.columns()),
                     scores.open.row(forced.query));
    return weights;
}

std::optional<std::size_t> hardKey(std::span<const float> scores, std::span<const std::uint8_t> open) {
    std::optional<std::size_t> hardest;
    for (std::size_t key = 0; key < scores.size(); ++key)
        if (open[key] && (!hardest || scores[key] > scores[*hardest]))
            hardest = key;
    return hardest;
}

std::vector<std::optional<double>> entropiesOfRows(const OpenScores& scores, const trace::Matrix& weights) {
    std::vector<std::optional<double>> entropies(weights.rows());
    for (std::size_t row = 0; row < weights.rows(); ++row)
        if (!scores.padding[row] && allowedKeys(scores, row) > 1)
            entropies[row] = rowEntropy(weights.row(row));
    return entropies;
}

std::optional<double> meanEntropy(const std::vector<std::optional<double>>& entropies) {
    double sum = 0;
    std::size_t rows = 0;
    for (const auto& entropy : entropies)
        if (entropy) {
            sum += *entropy;
            ++rows;
        }
    return rows > 0 ? std::optional(sum / static_cast<double>(rows)) : std::nullopt;
}

std::optional<double> evenEntropy(const OpenScores& scores) {
    std::vector<std::optional<double>> largest(scores.open.rows());
    for (std::size_t row = 0; row < largest.size(); ++row)
        if (const auto open = allowedKeys(scores, row); !scores.padding[row] && open > 1)
            largest[row] = std::log2(static_cast<double>(open));
    return meanEntropy(largest);
}

EntropyCurve entropyOverTemperature(const OpenScores& scores, std::size_t points, const trace::Task& work) {
    const auto even = evenEntropy(scores);
    if (!even || points < 2)
        return {};
    EntropyCurve curve{.even = *even};
    for (std::size_t point = 0; point < points; ++point) {
        work.report(point, points);
        const double share = static_cast<double>(point) / static_cast<double>(points - 1);
        const double temperature =
            lowestTemperature * std::pow(highestTemperature / lowestTemperature, share);
        curve.temperatures.push_back(temperature);
        curve.entropies.push_back(
            meanEntropy(entropiesOfRows(scores, softmaxOf(scores, temperature))).value_or(0));
    }
    return curve;
}

} // namespace headscope::analysis
