#include "model/analysis/maps/cell_arithmetic.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/sublayer_site.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace headscope::analysis {

namespace {

using trace::AttentionKind;
using trace::AttentionRecord;

bool hasCell(const AttentionRecord* record, const trace::HeadAddress& address, std::size_t query,
             std::size_t key) {
    return record && address.head < record->heads() && query < record->queries() && key < record->keys();
}

bool hasProjections(const AttentionRecord& record) {
    return record.q.rows() == record.queries() && record.k.rows() == record.keys() &&
           record.v.rows() == record.keys() && record.q.columns() == record.k.columns();
}

std::vector<double> rowOf(trace::MatrixView matrix, std::size_t row) {
    const auto values = matrix.row(row);
    return {values.begin(), values.end()};
}

/// Whether queries and keys are rotated: not if an intervention removes the positions.
bool turns(const trace::Run& run, AttentionKind kind) {
    return run.model && run.model->positionKind == trace::PositionKind::Rotation &&
           kind != AttentionKind::Cross && positionChange(run) != trace::PositionChange::None;
}

/// Returns the number of a flag of the model's architecture; empty if it has no such flag, NaN if that is no
/// number.
std::optional<double> numberOf(const trace::Run& run, std::string_view flag) {
    if (run.model)
        for (const auto& [name, text] : run.model->architecture)
            if (name == flag) {
                double said = 0; // parsed by from_chars, which ignores the locale
                const bool isNumber =
                    std::from_chars(text.data(), text.data() + text.size(), said).ec == std::errc();
                return isNumber && std::isfinite(said) ? said : std::numeric_limits<double>::quiet_NaN();
            }
    return std::nullopt;
}

/// 0: none.
double scoreCap(const trace::Run& run) {
    const auto cap = numberOf(run, "score_cap").value_or(0);
    return std::isfinite(cap) ? cap : 0;
}

/// Returns the scale stated in the model's summary for heads of this width. If none is stated, returns its
/// inverse root, or an empty value for traces, which may come from any model.
std::optional<double> ownScale(const trace::Run& run, std::size_t width, double inverseRoot) {
    const bool isDecoders =
        run.model && run.model->decoderHeadWidth > 0 && std::cmp_equal(width, run.model->decoderHeadWidth);
    if (const auto said = numberOf(run, isDecoders ? "decoder_score_scale" : "score_scale"))
        return std::isfinite(*said) ? said : std::nullopt;
    const bool isTrace = run.model && run.model->recorded;
    return isTrace || !std::isfinite(inverseRoot) ? std::nullopt : std::optional(inverseRoot);
}

/// Returns the distance bias of a cell; `scores` are those of row `query`. If positions are shuffled, which
/// the run does not record in detail, or have terms of their own, returns the score minus `product`.
double distanceAdds(const trace::Run& run, const trace::HeadAddress& head, const std::vector<float>& scores,
                    std::size_t query, std::size_t key, double product, double temperature) {
    if (hasDisentangledScores(run, head.site.kind))
        return static_cast<double>(scores[key]) - product;
    const auto* bias = distanceBias(run, head.site.kind);
    if (!bias)
        return 0;
    const auto change = positionChange(run);
    if (change == trace::PositionChange::None)
        return 0;
    if (change == trace::PositionChange::Shuffle)
        return static_cast<double>(scores[key]) - product;
    return valueAt(*bias, head, trace::TokenIndex(key) - query) / temperature;
}

void softmax(CellArithmetic& cell) {
    cell.rowIsClosed = std::ranges::none_of(cell.row, &KeyTerm::open);
    cell.largest = -std::numeric_limits<double>::infinity();
    for (const KeyTerm& term : cell.row)
        if (term.open)
            cell.largest = std::max(cell.largest, term.score);
    for (KeyTerm& term : cell.row) {
        // In a fully masked row all scores equal the fill value, so all exponentials are 1.
        term.exponential = cell.rowIsClosed ? 1 : term.open ? std::exp(term.score - cell.largest) : 0;
        cell.sum += term.exponential;
    }
    for (KeyTerm& term : cell.row)
        term.weight = term.exponential / cell.sum;
}

/// Replaces the softmax weights by forced ones; masked keys get 0.
void force(CellArithmetic& cell, const trace::ForceRow& forced) {
    const auto open = std::ranges::count_if(cell.row, &KeyTerm::open);
    const bool reaches = forced.pattern == trace::RowPattern::Key
                             ? forced.key < cell.row.size() && cell.row[forced.key].open
                             : open > 0;
    if (!reaches)
        return;
    cell.isForced = true;
    const auto strongest = std::ranges::max_element(cell.row, {}, &KeyTerm::weight) - cell.row.begin();
    const auto chosen = forced.pattern == trace::RowPattern::Key ? forced.key : strongest;
    for (std::size_t i = 0; i < cell.row.size(); ++i)
        cell.row[i].weight = forced.pattern != trace::RowPattern::Uniform ? (i == chosen ? 1.0 : 0.0)
                             : cell.row[i].open                           ? 1 / static_cast<double>(open)
                                                                          : 0.0;
}

void forceByHand(CellArithmetic& cell, const trace::Run& run) {
    for (const auto& change : trace::effective(run.request.interventions))
        if (const auto* forced = std::get_if<trace::ForceRow>(&change);
            forced && forced->head == cell.head && forced->query == cell.query)
            force(cell, *forced);
}

/// Applies the interventions on the head's output: factors of the head and of its sublayer, replacement.
void changeOutput(CellArithmetic& cell, const trace::Run& run) {
    for (const auto& change : trace::effective(run.request.interventions)) {
        if (const auto* head = std::get_if<trace::ScaleHead>(&change); head && head->head == cell.head)
            cell.factor *= head->factor;
        else if (const auto* sublayer = std::get_if<trace::ScaleSublayer>(&change);
                 sublayer && attentionSite(sublayer->sublayer) == cell.head.site)
            cell.factor *= sublayer->factor;
        else if (const auto* other = std::get_if<trace::ReplaceHead>(&change);
                 other && other->head == cell.head)
            cell.isReplaced = true;
    }
}

void multiplyValues(CellArithmetic& cell, trace::MatrixView values) {
    cell.v = rowOf(values, cell.key);
    cell.output.assign(cell.v.size(), 0);
    for (std::size_t i = 0; i < cell.v.size(); ++i) {
        cell.adds.push_back(cell.weight * cell.v[i]);
        for (std::size_t j = 0; j < cell.row.size(); ++j)
            cell.output[i] += cell.row[j].weight * static_cast<double>(values(j, i));
    }
}

} // namespace

std::optional<trace::PositionChange> positionChange(const trace::Run& run) {
    for (const auto& change : trace::effective(run.request.interventions))
        if (const auto* positions = std::get_if<trace::ChangePositions>(&change))
            return positions->change;
    return std::nullopt;
}

bool hasDisentangledScores(const trace::Run& run, AttentionKind kind) {
    return run.model && run.model->positionKind == trace::PositionKind::Disentangled &&
           kind != AttentionKind::Cross;
}

const trace::DistanceBias* distanceBias(const trace::Run& run, trace::AttentionKind kind) {
    if (!run.model || kind == trace::AttentionKind::Cross)
        return nullptr;
    return kind == trace::AttentionKind::EncoderSelf ? run.model->encoderBias.get()
                                                     : run.model->decoderBias.get();
}

double valueAt(const trace::DistanceBias& bias, const trace::HeadAddress& head, int offset) {
    const int last = bias.values.columns() - 1; // larger offsets share one bucket
    return static_cast<double>(bias.values(bias.row(head), std::clamp(offset - bias.first, 0, last)));
}

ScoreScale scoreScale(const trace::Run& run, std::size_t width) {
    const double inverseRoot = 1 / std::sqrt(static_cast<double>(width));
    auto own = ownScale(run, width, inverseRoot);
    ScoreScale scale;
    for (const auto& change : trace::effective(run.request.interventions)) {
        if (const auto* changed = std::get_if<trace::ScaleScores>(&change)) {
            own = changed->factor.value_or(1);
            scale.isChanged = true;
        } else if (const auto* softmax = std::get_if<trace::SoftmaxTemperature>(&change)) {
            scale.temperature *= softmax->temperature;
        }
    }
    scale.isKnown = own.has_value();
    const double factor = own.value_or(std::numeric_limits<double>::quiet_NaN());
    scale.isInverseRoot = std::abs(factor - inverseRoot) < 1e-6 * inverseRoot;
    scale.factor = factor / scale.temperature;
    return scale;
}

std::optional<CellArithmetic> cellArithmetic(const trace::Run& shown, const trace::Run& projected,
                                             const trace::HeadAddress& head, std::size_t query,
                                             std::size_t key) {
    const auto* map = shown.record(head.site);
    const auto* record = projected.record(head.site);
    if (!hasCell(map, head, query, key) || !hasCell(record, head, query, key) || !hasProjections(*record) ||
        lacksScores(*map) || lacksScores(*record) || !scoreScale(projected, record->q.columns()).isKnown)
        return std::nullopt;
    const auto h = head.head;
    const auto keys = record->k.head(h);
    CellArithmetic cell{.head = head, .query = query, .key = key};
    cell.isTurned = turns(projected, head.site.kind);
    cell.q = rowOf(record->q.head(h), query);
    cell.k = rowOf(keys, key);
    for (std::size_t i = 0; i < cell.q.size(); ++i)
        cell.products.push_back(cell.q[i] * cell.k[i]);
    cell.dot = std::accumulate(cell.products.begin(), cell.products.end(), 0.0);
    cell.scale = scoreScale(projected, cell.q.size());
    const auto computed = headRow(*record, h, query);
    const auto adds = [&](std::size_t j, double product) {
        return distanceAdds(projected, head, computed.scores, query, j, product, cell.scale.temperature);
    };
    cell.distance = adds(key, cell.dot * cell.scale.factor);
    cell.isDistanceReadOff = hasDisentangledScores(projected, head.site.kind) ||
                             (distanceBias(projected, head.site.kind) &&
                              positionChange(projected) == trace::PositionChange::Shuffle);
    cell.cap = scoreCap(projected) / cell.scale.temperature;
    const auto limited = [&](double score) {
        return cell.cap > 0 ? cell.cap * std::tanh(score / cell.cap) : score;
    };
    cell.score = limited(cell.dot * cell.scale.factor + cell.distance);
    for (std::size_t j = 0; j < keys.rows(); ++j) {
        const auto other = keys.row(j);
        const double dot = std::inner_product(cell.q.begin(), cell.q.end(), other.begin(), 0.0);
        const double product = dot * cell.scale.factor;
        cell.row.push_back(
            {.open = !whyClosed(projected, head, query, j), .score = limited(product + adds(j, product))});
    }
    cell.closed = whyClosed(projected, head, query, key);
    softmax(cell);
    forceByHand(cell, projected);
    cell.weight = cell.row[key].weight;
    multiplyValues(cell, record->v.head(h));
    changeOutput(cell, projected);
    const auto shownRow = headRow(*map, h, query);
    cell.shownScore = static_cast<double>(shownRow.scores[key]);
    cell.shownWeight = static_cast<double>(shownRow.weights[key]);
    return cell;
}

double length(const std::vector<double>& vector) {
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

} // namespace headscope::analysis
