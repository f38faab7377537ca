#include "widgets/map/shown_map.h"

#include "model/analysis/output/classifier_tokens.h"
#include "widgets/words/captions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

using analysis::MapSpan;
using analysis::MapTable;
using trace::AttentionKind;
using trace::Token;

/// A map with the tokens of its axes, before options are applied.
struct Whole {
    MapTable table;
    std::vector<Token> queries;
    std::vector<Token> keys;
    std::size_t sourceColumns = 0;
};

/// While decoding runs, the token chosen last may still be missing.
std::vector<Token> firstTokens(std::vector<Token> tokens, std::size_t count) {
    tokens.resize(count);
    return tokens;
}

Whole ofRun(const trace::Run& run, const trace::HeadAddress& head, Quantity quantity) {
    const auto* record = run.record(head.site);
    if (!record)
        return {};
    const trace::HeadStack& stack = isScore(quantity) ? record->scores : record->weights;
    if (head.head >= stack.heads() || stack.empty())
        return {};
    const auto kind = head.site.kind;
    Whole whole{.table = analysis::tableOf(stack.head(head.head), record->mask),
                .queries = firstTokens(run.queryTokens(kind), stack.rows()),
                .keys = firstTokens(run.keyTokens(kind), stack.columns()),
                .sourceColumns = kind == AttentionKind::DecoderSelf ? 0 : stack.columns()};
    if (quantity == Quantity::Scores)
        std::ranges::fill(whole.table.mask.values(), std::uint8_t{1});
    return whole;
}

Whole ofMaps(const trace::Run& run, const trace::QuantityMaps& maps, const trace::HeadAddress& head) {
    const auto index = trace::isPerHead(maps.quantity) ? head.head : trace::HeadIndex();
    if (index >= maps.values.heads())
        return {};
    auto keys = firstTokens(run.source, maps.sourceColumns);
    for (std::size_t t = 0; keys.size() < maps.values.columns(); ++t)
        keys.push_back(t < run.target.size() ? run.target[t] : Token());
    return {.table = analysis::tableOf(maps.values.head(index), maps.mask),
            .queries = firstTokens(run.queryTokens(head.site.kind), maps.values.rows()),
            .keys = std::move(keys),
            .sourceColumns = maps.sourceColumns};
}

/// Returns the text that a token adds to its word; for the bytes of a character, the character once.
QString textInWord(const TokenLabel& piece) {
    if (!piece.byte || piece.character.isEmpty())
        return piece.text;
    const bool continues = QStringLiteral("89ABab").contains(piece.text.front()); // 10xxxxxx in UTF-8
    return continues ? QString() : piece.character;
}

/// Returns the label of a word: its concatenated tokens.
std::vector<TokenLabel> labelsOf(const std::vector<Token>& tokens, const std::vector<MapSpan>& spans) {
    const auto pieces = tokenLabels(tokens);
    std::vector<TokenLabel> labels;
    for (const MapSpan& span : spans) {
        TokenLabel label = pieces.at(span.first);
        if (span.last - span.first > 1) {
            label.text = textInWord(label);
            label.byte = false;
        }
        for (std::size_t t = span.first + 1; t < span.last; ++t)
            label.text += textInWord(pieces[t]);
        labels.push_back(std::move(label));
    }
    return labels;
}

/// No word contains tokens of both source and target.
std::vector<MapSpan> keyWords(const Whole& whole) {
    const auto border = whole.keys.begin() + static_cast<std::ptrdiff_t>(whole.sourceColumns);
    auto words = analysis::wordsOf({whole.keys.begin(), border});
    for (const MapSpan& word : analysis::wordsOf({border, whole.keys.end()}))
        words.push_back({word.first + whole.sourceColumns, word.last + whole.sourceColumns});
    return words;
}

std::optional<std::size_t> dividerOf(const MapTable& table, std::size_t sourceColumns) {
    const std::size_t first =
        std::ranges::find_if(table.columns,
                             [&](const MapSpan& span) { return span.first >= sourceColumns; }) -
        table.columns.begin();
    return first > 0 && first < table.columns.size() ? std::optional(first) : std::nullopt;
}

template <class T>
trace::BasicMatrix<T> turned(const trace::BasicMatrix<T>& matrix) {
    trace::BasicMatrix<T> other(matrix.columns(), matrix.rows());
    for (std::size_t r = 0; r < matrix.rows(); ++r)
        for (std::size_t c = 0; c < matrix.columns(); ++c)
            other(c, r) = matrix(r, c);
    return other;
}

/// Returns the smallest kept share of a word's tokens; NaN is ignored.
std::vector<double> leastOfWords(const std::vector<double>& kept, const std::vector<MapSpan>& words) {
    std::vector<double> least;
    for (std::size_t w = 0; w < words.size() && !kept.empty(); ++w) {
        least.push_back(kept.at(words[w].first));
        for (std::size_t piece = words[w].first + 1; piece < words[w].last; ++piece)
            least.back() = std::fmin(least.back(), kept.at(piece));
    }
    return least;
}

/// Applies the options that change numbers, and stores notes about them in `shown`. Consumes the table.
MapTable viewOf(Whole& whole, const MapOptions& options, ShownMap& shown) {
    MapTable table = std::move(whole.table);
    if (computedFor(options.quantity))
        shown.undefinedRows = analysis::closeUndefinedRows(table).size();
    if (options.quantity == Quantity::NormShares)
        analysis::normaliseRows(table);
    if (options.withoutSpecial) {
        const MapTable before = std::move(table);
        table = analysis::withoutSpecialKeys(before, whole.keys);
        shown.hidden = before.columns.size() - table.columns.size();
        if (sumsToOne(options.quantity)) {
            const auto sums = analysis::normaliseRows(table);
            shown.kept = analysis::keptShares(before, sums);
            shown.weak = analysis::weakRows(before, sums);
        }
    }
    if (options.quantity == Quantity::Rollout)
        analysis::normaliseRows(table, dividerOf(table, whole.sourceColumns));
    if (!options.words || isScore(options.quantity))
        return table;
    const auto queries = analysis::wordsOf(whole.queries);
    const auto weak = std::move(shown.weak);
    table = analysis::byWords(table, queries, keyWords(whole));
    // A word is weak if one of its tokens is.
    shown.weak.clear();
    for (std::size_t w = 0; w < table.rows.size(); ++w)
        if (std::ranges::any_of(weak, [&](std::size_t row) {
                return row >= table.rows[w].first && row < table.rows[w].last;
            }))
            shown.weak.push_back(w);
    shown.kept = leastOfWords(shown.kept, table.rows);
    return table;
}

std::optional<int> indexOf(const std::vector<MapSpan>& spans, std::optional<trace::TokenIndex> token) {
    const auto found = std::ranges::find_if(
        spans, [&](const MapSpan& span) { return token && span.first <= *token && *token < span.last; });
    return found == spans.end() ? std::nullopt : std::optional<int>(found - spans.begin());
}

const MapSpan* spanAt(const MapAxis& axis, std::optional<int> index) {
    return index && *index >= 0 && std::cmp_less(*index, axis.spans.size()) ? &axis.spans[*index] : nullptr;
}

void show(ShownMap& shown, const Whole& whole, MapTable table) {
    shown.queries = {labelsOf(whole.queries, table.rows), table.rows};
    shown.keys = {labelsOf(whole.keys, table.columns), table.columns};
    shown.sourceColumns = whole.sourceColumns;
    shown.divider = dividerOf(table, whole.sourceColumns);
    shown.received = analysis::received(table);
    shown.values = shown.transposed ? turned(table.values) : std::move(table.values);
    shown.mask = shown.transposed ? turned(table.mask) : std::move(table.mask);
}

/// Returns spans of `size` tokens.
std::vector<MapSpan> spansOf(std::size_t size, std::size_t tokens) {
    std::vector<MapSpan> spans;
    for (std::size_t first = 0; first < tokens; first += size)
        spans.push_back({first, std::min(tokens, first + size)});
    return spans;
}

} // namespace

std::optional<int> ShownMap::queryOf(const TokenFocus& focus) const {
    return indexOf(queries.spans, focus.query(kind));
}

std::optional<int> ShownMap::queryOfRow(int row) const {
    return indexOf(queries.spans, row);
}

std::optional<int> ShownMap::keyOf(const TokenFocus& focus) const {
    if (focus.sourceKey && *focus.sourceKey < sourceColumns)
        return indexOf(keys.spans, focus.sourceKey);
    if (focus.targetKey)
        return indexOf(keys.spans, *focus.targetKey + sourceColumns);
    return std::nullopt;
}

TokenFocus ShownMap::focusOf(std::optional<int> row, std::optional<int> column) const {
    TokenFocus focus;
    if (const MapSpan* query = spanAt(queries, transposed ? column : row))
        (kind == AttentionKind::EncoderSelf ? focus.sourceQuery : focus.targetQuery) = query->first;
    if (const MapSpan* key = spanAt(keys, transposed ? row : column)) {
        if (key->first < sourceColumns)
            focus.sourceKey = key->first;
        else
            focus.targetKey = key->first - sourceColumns;
    }
    return focus;
}

std::optional<MapCell> ShownMap::runCell(MapCell shown) const {
    const MapSpan* query = spanAt(queries, transposed ? shown.column : shown.row);
    const MapSpan* key = spanAt(keys, transposed ? shown.row : shown.column);
    if (divider || !query || !key || query->last - query->first > 1 || key->last - key->first > 1)
        return std::nullopt;
    return MapCell{static_cast<int>(query->first), static_cast<int>(key->first)};
}

std::optional<MapCell> ShownMap::shownCell(MapCell ofRun) const {
    const auto query = indexOf(queries.spans, ofRun.row);
    const auto key = indexOf(keys.spans, ofRun.column);
    if (divider || !query || !key)
        return std::nullopt;
    return transposed ? MapCell{*key, *query} : MapCell{*query, *key};
}

QString queryInWords(const trace::Run& run, const ShownMap& shown, int query) {
    const MapSpan& span = shown.queries.spans.at(query);
    return span.last - span.first > 1 ? quoted(shown.queries.labels[query])
                                      : queryInWords(run, shown.kind, span.first);
}

QString keyInWords(const ShownMap& shown, int key) {
    return quoted(shown.keys.labels.at(key));
}

trace::MapsWhat mapsWhat(const trace::Run& run, trace::MapQuantity quantity, const trace::AttentionSite& site,
                         std::size_t step, std::optional<std::size_t> chosenClass) {
    trace::MapsWhat what{.quantity = quantity, .site = site};
    if (quantity == trace::MapQuantity::GradientAttention)
        what.step = run.classLogProbabilities.empty()
                        ? step
                        : chosenClass.value_or(analysis::likeliestClass(
                              {run.classLogProbabilities.begin(), run.classLogProbabilities.end()}));
    return what;
}

bool holds(const trace::QuantityMaps& maps, const trace::HeadAddress& head, Quantity quantity) {
    return maps.quantity == computedFor(quantity) && maps.site == head.site;
}

ShownMap shownMap(const trace::Run& run, const trace::QuantityMaps* maps, const trace::HeadAddress& head,
                  const MapOptions& options) {
    ShownMap shown{.kind = head.site.kind, .transposed = options.transposed};
    const bool isComputed = computedFor(options.quantity).has_value();
    if (isComputed && (!maps || !holds(*maps, head, options.quantity)))
        return shown;
    Whole whole = isComputed ? ofMaps(run, *maps, head) : ofRun(run, head, options.quantity);
    if (whole.table.values.empty())
        return shown;
    MapTable table = viewOf(whole, options, shown);
    show(shown, whole, std::move(table));
    return shown;
}

ShownMap shownMap(const trace::Run& run, ComputedMap map, const trace::HeadAddress& head,
                  const MapOptions& options) {
    ShownMap shown{.kind = head.site.kind, .transposed = options.transposed};
    const auto& record = *run.record(head.site);
    const bool isPreview = map.tokensARow > 1;
    Whole whole{.table = {.rows = spansOf(map.tokensARow, record.queries()),
                          .columns = spansOf(map.tokensARow, record.keys())},
                .queries = firstTokens(run.queryTokens(shown.kind), record.queries()),
                .keys = firstTokens(run.keyTokens(shown.kind), record.keys()),
                .sourceColumns = shown.kind == AttentionKind::DecoderSelf ? 0 : record.keys()};
    whole.table.values = std::move(map.values);
    whole.table.mask = std::move(map.mask);
    if (options.quantity == Quantity::Scores)
        std::ranges::fill(whole.table.mask.values(), std::uint8_t{1});
    MapTable table = isPreview ? std::move(whole.table) : viewOf(whole, options, shown);
    show(shown, whole, std::move(table));
    return shown;
}

} // namespace headscope::widgets
