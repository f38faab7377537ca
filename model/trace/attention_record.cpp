#include "model/trace/attention_record.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace headscope::trace {

namespace {

constexpr auto allColumns = std::numeric_limits<std::size_t>::max();

/// Returns [heads, 1, columns]; empty if the stack has no such row.
HeadStack rowOf(const HeadStack& stack, std::size_t row, std::size_t columns = allColumns) {
    if (row >= stack.rows())
        return {};
    columns = std::min(columns, stack.columns());
    std::vector<float> values;
    values.reserve(stack.heads() * columns);
    for (std::size_t h = 0; h < stack.heads(); ++h) {
        const auto part = stack.head(h).row(row).first(columns);
        values.insert(values.end(), part.begin(), part.end());
    }
    return {stack.heads(), 1, columns, std::move(values)};
}

/// `measured` is copied: it covers the whole map, not only this row.
std::shared_ptr<const RecomputeRecipe> rowOf(const RecomputeRecipe& whole, std::span<const std::uint8_t> open,
                                             std::size_t query) {
    auto rule = std::make_shared<RecomputeRecipe>(whole);
    auto ranges = std::make_shared<AllowedRanges>(open.size());
    ranges->addRow(open);
    rule->open = std::move(ranges);
    rule->firstQuery = whole.firstQuery + query;
    if (whole.bias) {
        auto bias = std::make_shared<RelativeBias>(*whole.bias);
        bias->queries = {whole.bias->queries.at(query)};
        rule->bias = std::move(bias);
    }
    return rule;
}

} // namespace

std::vector<std::uint8_t> AttentionRecord::allowedKeys(std::size_t query) const {
    if (!rule) {
        const auto row = mask.row(query);
        return {row.begin(), row.end()};
    }
    std::vector<std::uint8_t> open(rule->open->columns());
    rule->open->copyRow(query, open);
    return open;
}

AttentionRecord rowOf(const AttentionRecord& record, std::size_t query, std::size_t keys) {
    if (record.isRecomputed())
        return {.site = record.site,
                .q = rowOf(record.q, query),
                .k = rowOf(record.k, query),
                .v = rowOf(record.v, query),
                .outputs = rowOf(record.outputs, query),
                .rule = rowOf(*record.rule, record.allowedKeys(query), query)};
    const auto open = record.mask.row(query).first(std::min(keys, record.mask.columns()));
    return {.site = record.site,
            .mask = MaskMatrix(1, open.size(), {open.begin(), open.end()}),
            .scores = rowOf(record.scores, query, keys),
            .weights = rowOf(record.weights, query, keys),
            .q = rowOf(record.q, query),
            .k = rowOf(record.k, query),
            .v = rowOf(record.v, query),
            .outputs = rowOf(record.outputs, query)};
}

} // namespace headscope::trace
