#include "model/analysis/cell_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::analysis {

namespace {

using trace::AttentionKind;
using trace::AttentionRecord;

bool hasCell(const AttentionRecord* record, const trace::HeadAddress& address, std::size_t query,
             std::size_t key) {
    return record && address.head >= 0 && static_cast<std::size_t>(address.head) < record->weights.heads() &&
           query < record->weights.rows() && key < record->weights.columns();
}

bool hasProjections(const AttentionRecord& record) {
    return record.q.rows() == record.weights.rows() && record.k.rows() == record.weights.columns() &&
           record.v.rows() == record.weights.columns() && record.q.columns() == record.k.columns();
}

std::vector<double> rowOf(trace::MatrixView matrix, std::size_t row) {
    const auto values = matrix.row(row);
    return {values.begin(), values.end()};
}

bool isBlocked(const trace::Run& run, const trace::HeadAddress& head, std::size_t query, std::size_t key) {
    return std::ranges::any_of(trace::effective(run.request.interventions), [&](const auto& change) {
        const auto* blocked = std::get_if<trace::BlockCell>(&change);
        return blocked && blocked->head == head && blocked->query == query && blocked->key == key;
    });
}

bool isPadding(const std::vector<trace::Token>& tokens, std::size_t index) {
    return index < tokens.size() && tokens[index].role == trace::TokenRole::Padding;
}

std::optional<CellClosed> whyClosed(const trace::Run& run, const AttentionRecord& record,
                                    const trace::HeadAddress& head, std::size_t query, std::size_t key) {
    const auto kind = head.site.kind;
    if (record.mask(query, key))
        return isBlocked(run, head, query, key) ? std::optional(CellClosed::BlockedByHand) : std::nullopt;
    if (isPadding(run.keyTokens(kind), key))
        return CellClosed::PaddingKey;
    if (kind == AttentionKind::DecoderSelf && key > query)
        return CellClosed::LaterToken;
    if (kind == AttentionKind::EncoderSelf && isPadding(run.source, query))
        return CellClosed::PaddingQuery;
    return CellClosed::Otherwise;
}

void softmax(CellArithmetic& cell) {
    cell.rowIsClosed = std::ranges::none_of(cell.row, &KeyTerm::open);
    cell.largest = -std::numeric_limits<double>::infinity();
    for (const KeyTerm& term : cell.row)
        if (term.open)
            cell.largest = std::max(cell.largest, term.score);
    for (KeyTerm& term : cell.row) {
        // Where all are closed, all hold the mask's fill value and none is larger than another.
        term.exponential = cell.rowIsClosed ? 1 : term.open ? std::exp(term.score - cell.largest) : 0;
        cell.sum += term.exponential;
    }
    for (KeyTerm& term : cell.row)
        term.weight = term.exponential / cell.sum;
}

/// Weights that replace those of the softmax; closed keys get none.
void force(CellArithmetic& cell, const trace::ForceRow& forced) {
    const auto open = std::ranges::count_if(cell.row, &KeyTerm::open);
    const bool reaches = forced.pattern == trace::RowPattern::Key
                             ? forced.key < cell.row.size() && cell.row[forced.key].open
                             : open > 0;
    if (!reaches)
        return;
    cell.isForced = true;
    const auto strongest = std::ranges::max_element(cell.row, {}, &KeyTerm::weight) - cell.row.begin();
    const auto chosen =
        forced.pattern == trace::RowPattern::Key ? forced.key : static_cast<std::size_t>(strongest);
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

std::optional<CellArithmetic> cellArithmetic(const trace::Run& shown, const trace::Run& projected,
                                             const trace::HeadAddress& head, std::size_t query,
                                             std::size_t key) {
    const auto* map = shown.record(head.site);
    const auto* record = projected.record(head.site);
    if (!hasCell(map, head, query, key) || !hasCell(record, head, query, key) || !hasProjections(*record))
        return std::nullopt;
    const auto h = static_cast<std::size_t>(head.head);
    const auto keys = record->k.head(h);
    CellArithmetic cell{.head = head, .query = query, .key = key};
    cell.q = rowOf(record->q.head(h), query);
    cell.k = rowOf(keys, key);
    for (std::size_t i = 0; i < cell.q.size(); ++i)
        cell.products.push_back(cell.q[i] * cell.k[i]);
    cell.dot = std::accumulate(cell.products.begin(), cell.products.end(), 0.0);
    cell.scale = scoreScale(projected, cell.q.size());
    cell.score = cell.dot * cell.scale.factor;
    for (std::size_t j = 0; j < keys.rows(); ++j) {
        const auto other = keys.row(j);
        const double dot = std::inner_product(cell.q.begin(), cell.q.end(), other.begin(), 0.0);
        cell.row.push_back(
            {.open = !whyClosed(projected, *record, head, query, j), .score = dot * cell.scale.factor});
    }
    cell.closed = whyClosed(projected, *record, head, query, key);
    softmax(cell);
    forceByHand(cell, projected);
    cell.weight = cell.row[key].weight;
    multiplyValues(cell, record->v.head(h));
    cell.shownScore = static_cast<double>(map->scores(h, query, key));
    cell.shownWeight = static_cast<double>(map->weights(h, query, key));
    return cell;
}

double length(const std::vector<double>& vector) {
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

} // namespace headscope::analysis
