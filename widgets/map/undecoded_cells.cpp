#include "widgets/map/undecoded_cells.h"

#include "widgets/drawing/theme.h"

#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

using trace::AttentionKind;

namespace {

void emptyUndecoded(QPainter& painter, const MapLayout& layout, const DecodedCells& decoded,
                    const Theme& theme) {
    const QRectF sight = layout.window();
    for (int row = static_cast<int>(sight.top()); row < sight.bottom(); ++row)
        if (!decoded.hasRow(row))
            painter.fillRect(layout.rowRect(row) & layout.plot(), theme.background);
    for (int column = static_cast<int>(sight.left()); column < sight.right(); ++column)
        if (!decoded.hasColumn(column))
            painter.fillRect(layout.columnRect(column) & layout.plot(), theme.background);
}

} // namespace

void drawDecodedLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                       const DecodedCells& decoded, const TokenLabelStyle& style, const Theme& theme) {
    emptyUndecoded(painter, layout, decoded, theme);
    const auto named = [](std::span<const TokenLabel> labels, const std::function<bool(int)>& isThere) {
        std::vector<TokenLabel> some(labels.begin(), labels.end());
        for (int i = 0; i < std::ssize(some); ++i)
            if (!isThere(i))
                some[i] = {};
        return some;
    };
    const auto rows = named(picture.rowLabels, decoded.hasRow);
    const auto columns = named(picture.columnLabels, decoded.hasColumn);
    MapPicture shown = picture;
    shown.rowLabels = rows;
    shown.columnLabels = columns;
    drawMapLabels(painter, shown, layout, style, theme);
}

QSizeF decodedPart(const trace::AttentionRecord& record, const std::optional<std::size_t>& rows) {
    const auto part = [&](std::size_t all) {
        return rows && all > 0 ? std::min(1.0, static_cast<double>(*rows) / static_cast<double>(all)) : 1;
    };
    const auto kind = record.site.kind;
    return {kind == AttentionKind::DecoderSelf ? part(record.keys()) : 1,
            kind == AttentionKind::EncoderSelf ? 1 : part(record.queries())};
}

} // namespace headscope::widgets
