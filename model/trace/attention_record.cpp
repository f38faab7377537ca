#include "model/trace/attention_record.h"

#include <algorithm>

namespace headscope::trace {

namespace {

/// [heads, 1, columns]; empty where the stack has no such row.
HeadStack rowOf(const HeadStack& stack, std::size_t row) {
    if (row >= stack.rows())
        return {};
    HeadStack part(stack.heads(), 1, stack.columns());
    for (std::size_t h = 0; h < stack.heads(); ++h)
        for (std::size_t c = 0; c < stack.columns(); ++c)
            part.at(h, 0, c) = stack(h, row, c);
    return part;
}

} // namespace

AttentionRecord rowOf(const AttentionRecord& record, std::size_t query) {
    const auto open = record.mask.row(query);
    return {.site = record.site,
            .mask = MaskMatrix(1, open.size(), {open.begin(), open.end()}),
            .scores = rowOf(record.scores, query),
            .weights = rowOf(record.weights, query),
            .q = rowOf(record.q, query),
            .k = rowOf(record.k, query),
            .v = rowOf(record.v, query),
            .outputs = rowOf(record.outputs, query)};
}

} // namespace headscope::trace
