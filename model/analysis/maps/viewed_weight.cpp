#include "model/analysis/maps/viewed_weight.h"

#include "model/analysis/maps/map_views.h"
#include "model/analysis/maps/recomputed_map.h"

#include <algorithm>

namespace headscope::analysis {

namespace {

/// Returns the word that contains a token, or the token alone if `words` is false.
MapSpan wordAt(std::vector<trace::Token> tokens, std::size_t count, std::size_t token, bool words) {
    const MapSpan alone{token, token + 1};
    if (!words)
        return alone;
    tokens.resize(count); // during decoding the last chosen token may still be missing
    const auto all = wordsOf(tokens);
    const auto found = std::ranges::find_if(
        all, [&](const MapSpan& word) { return word.first <= token && token < word.last; });
    return found == all.end() ? alone : *found;
}

MapTable rowsOf(const trace::AttentionRecord& record, std::size_t head, const MapSpan& rows) {
    trace::Matrix values(rows.last - rows.first, record.keys());
    trace::MaskMatrix mask(values.rows(), values.columns());
    for (std::size_t r = 0; r < values.rows(); ++r) {
        const auto row = headRow(record, head, rows.first + r);
        for (std::size_t key = 0; key < values.columns(); ++key) {
            values(r, key) = row.weights[key];
            mask(r, key) = row.open[key];
        }
    }
    MapTable table = tableOf(trace::view(values), mask);
    for (MapSpan& row : table.rows)
        row = {row.first + rows.first, row.last + rows.first};
    return table;
}

/// Returns the value of the map for a pair of words.
std::optional<double> shownAt(MapTable table, const std::vector<trace::Token>& keys, const MapSpan& query,
                              const MapSpan& key, bool withoutSpecial) {
    if (withoutSpecial) {
        table = withoutSpecialKeys(table, keys);
        normaliseRows(table);
    }
    const MapTable cell = byWords(table, {query}, {key});
    return cell.values.empty() || !cell.mask(0, 0) ? std::nullopt : std::optional<double>(cell.values(0, 0));
}

struct RowParts {
    double together = 0; ///< sum over the key's word
    double kept = 0;     ///< sum over all keys shown in the map
    bool open = false;   ///< at least one of these keys is allowed
};

RowParts partsOf(const std::vector<KeyTerm>& row, const std::vector<trace::Token>& keys, const MapSpan& word,
                 bool withoutSpecial) {
    RowParts parts;
    for (std::size_t key = 0; key < row.size(); ++key) {
        if (!row[key].open || (withoutSpecial && isSpecial(keys.at(key).role)))
            continue;
        parts.open = true;
        parts.kept += row[key].weight;
        if (word.first <= key && key < word.last)
            parts.together += row[key].weight;
    }
    return parts;
}

} // namespace

ViewedWeight viewedWeight(const trace::Run& shown, const trace::Run& projected, const CellArithmetic& cell,
                          const WeightView& view) {
    const auto& record = *shown.record(cell.head.site);
    const auto kind = cell.head.site.kind;
    auto keys = shown.keyTokens(kind);
    keys.resize(record.keys());
    ViewedWeight viewed;
    viewed.isHidden = view.withoutSpecial && isSpecial(keys.at(cell.key).role);
    if (viewed.isHidden)
        return viewed;
    const auto query = wordAt(shown.queryTokens(kind), record.queries(), cell.query, view.words);
    const auto key = wordAt(keys, keys.size(), cell.key, view.words);
    viewed.queryPieces = query.last - query.first;
    viewed.keyPieces = key.last - key.first;
    double sum = 0;
    std::size_t open = 0;
    for (std::size_t row = query.first; row < query.last; ++row) {
        const auto other =
            row == cell.query ? std::nullopt : cellArithmetic(shown, projected, cell.head, row, cell.key);
        const auto parts = partsOf(other ? other->row : cell.row, keys, key, view.withoutSpecial);
        if (row == cell.query) {
            viewed.together = parts.together;
            viewed.kept = view.withoutSpecial ? std::optional(parts.kept) : std::nullopt;
        }
        open += parts.open;
        sum += view.withoutSpecial && parts.kept != 0 ? parts.together / parts.kept : parts.together;
    }
    viewed.computed = open == 0 ? 0 : sum / static_cast<double>(open);
    viewed.shown = shownAt(rowsOf(record, cell.head.head, query), keys, query, key, view.withoutSpecial);
    return viewed;
}

} // namespace headscope::analysis
