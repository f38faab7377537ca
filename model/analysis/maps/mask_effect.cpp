#include "model/analysis/maps/mask_effect.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/copied_matrix.h"

#include <algorithm>
#include <limits>

namespace headscope::analysis {

std::optional<float> maskFill(const trace::ModelSummary& model) {
    const auto flag =
        std::ranges::find(model.architecture, "mask_fill", [](const auto& f) { return f.first; });
    if (flag == model.architecture.end())
        return std::nullopt;
    if (flag->second == "-1e9")
        return -1e9F;
    if (flag->second == "lowest")
        return std::numeric_limits<float>::lowest();
    if (flag->second == "-inf")
        return -std::numeric_limits<float>::infinity();
    return std::nullopt;
}

bool MaskEffect::isRowClosed(std::size_t row) const {
    return allowedKeys(row) == 0;
}

std::size_t MaskEffect::allowedKeys(std::size_t row) const {
    return std::ranges::count_if(open.row(row), [](auto cell) { return cell != 0; });
}

double MaskEffect::openSum(std::size_t row) const {
    double sum = 0;
    for (std::size_t key = 0; key < open.columns(); ++key)
        if (open(row, key))
            sum += static_cast<double>(weights(row, key));
    return sum;
}

void closeBlocked(const trace::Run& run, const trace::HeadAddress& head, std::size_t first,
                  trace::MaskMatrix& open) {
    for (const auto& change : trace::effective(run.request.interventions))
        if (const auto* blocked = std::get_if<trace::BlockCell>(&change);
            blocked && blocked->head == head && blocked->query >= first &&
            blocked->query - first < open.rows() && blocked->key < open.columns())
            open(blocked->query - first, blocked->key) = 0;
}

namespace {

void fillClosed(const trace::Run& run, MaskEffect& effect, const std::stop_token& stop = {}) {
    const auto known = run.model ? maskFill(*run.model) : std::nullopt;
    const float fill = known.value_or(std::numeric_limits<float>::quiet_NaN());
    effect.after = trace::Matrix(effect.before.rows(), effect.before.columns());
    for (std::size_t row = 0; row < effect.after.rows(); ++row) {
        trace::throwIfStopped(stop);
        for (std::size_t key = 0; key < effect.after.columns(); ++key)
            effect.after(row, key) = effect.open(row, key) ? effect.before(row, key) : fill;
    }
}

bool hasScoresOf(const trace::AttentionRecord* record, const trace::HeadAddress& head) {
    return record && head.head < record->heads() &&
           (record->isRecomputed() || head.head < record->scores.heads());
}

} // namespace

MaskEffect maskEffect(const trace::Run& run, const trace::HeadAddress& head, const trace::Task& work) {
    const auto* record = run.record(head.site);
    if (!hasScoresOf(record, head))
        return {};
    const auto index = head.head;
    const bool notStored = record->isRecomputed();
    MaskEffect effect{.before = notStored ? recomputedScores(*record, index, work.part(0, 2))
                                          : trace::copied(record->scores.head(index)),
                      .open = maskOf(*record),
                      .weights = notStored ? recomputedWeights(*record, index, work.part(1, 2))
                                           : trace::copied(record->weights.head(index))};
    closeBlocked(run, head, 0, effect.open);
    fillClosed(run, effect, work);
    return effect;
}

MaskEffect maskEffectOfRow(const trace::Run& run, const trace::HeadAddress& head, std::size_t query) {
    const auto* record = run.record(head.site);
    if (!hasScoresOf(record, head) || query >= record->queries())
        return {};
    auto row = headRow(*record, head.head, query);
    const auto keys = record->keys();
    MaskEffect effect{.before = {1, keys, std::move(row.scores)},
                      .open = {1, keys, std::move(row.open)},
                      .weights = {1, keys, std::move(row.weights)}};
    closeBlocked(run, head, query, effect.open);
    fillClosed(run, effect);
    return effect;
}

} // namespace headscope::analysis
