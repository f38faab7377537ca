#include "widgets/views/lines/line_map.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

/// While decoding runs, the last chosen token may still be missing.
MapAxis piecesOf(const std::vector<trace::Token>& tokens, std::size_t count) {
    MapAxis axis{.labels = tokenLabels(tokens), .spans = {}};
    axis.labels.resize(count);
    for (std::size_t token = 0; token < count; ++token)
        axis.spans.push_back({token, token + 1});
    return axis;
}

} // namespace

LineMap lineMap(const trace::Run& run, const trace::AttentionRecord& record, const std::vector<int>& heads,
                bool words) {
    const auto kind = record.site.kind;
    LineMap map;
    map.axes.kind = kind;
    map.axes.sourceColumns = kind == trace::AttentionKind::DecoderSelf ? 0 : record.keys();
    if (!words || record.isRecomputed()) {
        map.axes.queries = piecesOf(run.queryTokens(kind), record.queries());
        map.axes.keys = piecesOf(run.keyTokens(kind), record.keys());
        return map;
    }
    auto& byWords = map.words.emplace();
    byWords.site = record.site;
    for (const int head : heads) {
        MapOptions options;
        options.words = true;
        ShownMap shown = shownMap(run, nullptr, {record.site, head}, options);
        if (byWords.weights.empty())
            byWords.weights = trace::HeadStack(record.heads(), shown.values.rows(), shown.values.columns());
        for (std::size_t row = 0; row < shown.values.rows(); ++row)
            for (std::size_t column = 0; column < shown.values.columns(); ++column)
                byWords.weights.at(head, row, column) = shown.values(row, column);
        byWords.mask = std::move(shown.mask);
        map.axes.queries = std::move(shown.queries);
        map.axes.keys = std::move(shown.keys);
    }
    return map;
}

} // namespace headscope::widgets
