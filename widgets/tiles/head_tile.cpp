#include "widgets/tiles/head_tile.h"

#include "model/trace/copied_matrix.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/counting_words.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int legendBar = 96;
constexpr double pinSide = 1.1; // relative to the text height, if the number fits

/// Draws a disc in the corner, with the number if it fits.
void drawPin(QPainter& painter, const QRect& cell, int pin, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double withNumber = pinSide * painter.fontMetrics().height();
    const bool roomForNumber = std::min(cell.width(), cell.height()) >= 1.75 * withNumber;
    const double size = roomForNumber ? withNumber : 9;
    const QRectF disc(cell.left() - 1, cell.top() - 1, size, size);
    painter.setPen(QPen(theme.onAccent, 1));
    painter.setBrush(theme.accent);
    painter.drawEllipse(disc);
    if (roomForNumber) {
        QFont font = painter.font();
        font.setBold(true);
        painter.setFont(font);
        painter.drawText(disc, Qt::AlignCenter | Qt::TextDontClip, QString::number(pin));
    }
    painter.restore();
}

void drawCells(QPainter& painter, const QRect& cell, const trace::Matrix& values,
               const trace::MaskMatrix& mask, double limit, const Theme& theme) {
    const auto scale = ColourScale::sequential(0, limit, ColourMapping::Linear, theme.dark);
    const double wide = static_cast<double>(cell.width()) / static_cast<double>(values.columns());
    const double high = static_cast<double>(cell.height()) / static_cast<double>(values.rows());
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(cell, Qt::IntersectClip);
    for (std::size_t row = 0; row < values.rows(); ++row)
        for (std::size_t column = 0; column < values.columns();) {
            const std::size_t first = column;
            const bool open = mask(row, column++) != 0;
            while (!open && column < values.columns() && mask(row, column) == 0)
                ++column; // one hatched rectangle for a run of masked cells
            const QRectF cells(cell.left() + static_cast<double>(first) * wide,
                               cell.top() + static_cast<double>(row) * high,
                               static_cast<double>(column - first) * wide, high);
            if (open)
                painter.fillRect(cells, QColor(scale.colour(values(row, first))));
            else
                drawHatch(painter, cells, theme);
        }
}

/// The map fills the tile, so edges of cells can be between pixels. Recordings store the map, because a
/// picture of many heads has very many cells.
void drawMap(QPainter& painter, const QRect& cell, const HeadMap& map, const Theme& theme) {
    drawLater(painter, [cell, values = trace::copied(map.values), mask = *map.mask, limit = map.limit,
                        theme](QPainter& onto) { drawCells(onto, cell, values, mask, limit, theme); });
}

void emptyUndecoded(QPainter& painter, const HeadTile& tile, const Theme& theme) {
    const QRectF all(tile.cell);
    const double right = all.left() + all.width() * tile.decoded.width();
    const double bottom = all.top() + all.height() * tile.decoded.height();
    painter.fillRect(QRectF(QPointF(right, all.top()), all.bottomRight()), theme.background);
    painter.fillRect(QRectF(QPointF(all.left(), bottom), all.bottomRight()), theme.background);
}

/// Draws rectangles within the cell: in scaled pictures, lines of a pen would extend beyond it.
void drawEdges(QPainter& painter, const QRect& cell, const QColor& colour) {
    const QRectF area(cell);
    for (const double y : {area.top(), area.bottom() - 1})
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), colour);
    for (const double x : {area.left(), area.right() - 1})
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), colour);
}

/// Used for tiles and for the legend.
void drawBar(QPainter& painter, const QRectF& area, const HeadTint& tint, double number, const Theme& theme) {
    if (tint.isSigned())
        drawSignedBar(painter, area, number, tint.highest(), theme);
    else if (tint.highest() > tint.lowest())
        drawShareBar(painter, area, (number - tint.lowest()) / (tint.highest() - tint.lowest()), theme);
}

} // namespace

void drawHeadTile(QPainter& painter, const HeadTile& tile, const Theme& theme) {
    if (!tile.map.values.empty())
        drawMap(painter, tile.cell, tile.map, theme);
    else if (tile.map.picture.isNull())
        painter.fillRect(tile.cell, theme.panel);
    else
        painter.drawPixmap(tile.cell, tile.map.picture);
    emptyUndecoded(painter, tile, theme);
    drawEdges(painter, tile.cell, theme.line);
    drawHeadMark(painter, QRectF(tile.cell), tile.mark, theme);
    if (tile.pin)
        drawPin(painter, tile.cell, *tile.pin, theme);
}

void drawTileFrame(QPainter& painter, const QRect& cell, const QColor& colour, int width) {
    if (!cell.isValid())
        return;
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(cell).adjusted(-1, -1, 0, 0));
}

void drawLitTokens(QPainter& painter, const QRect& cell, const trace::AttentionRecord& record,
                   const TokenFocus& focus, const Theme& theme) {
    const auto row = focus.query(record.site.kind);
    const auto column = focus.key(record.site.kind);
    const auto band = [&](int index, std::size_t count, int length) {
        const double size = static_cast<double>(length) / static_cast<double>(count);
        return std::pair(index * size, std::max(1.0, size));
    };
    QColor light = theme.focus;
    light.setAlpha(90);
    const QRectF inside(cell);
    if (row && *row < record.queries()) {
        const auto [from, size] = band(*row, record.queries(), cell.height());
        painter.fillRect(QRectF(inside.left(), inside.top() + from, inside.width(), size), light);
    }
    if (column && *column < record.keys()) {
        const auto [from, size] = band(*column, record.keys(), cell.width());
        painter.fillRect(QRectF(inside.left() + from, inside.top(), size, inside.height()), light);
    }
}

void drawTintBar(QPainter& painter, const QRect& foot, const HeadTint& tint, const trace::HeadAddress& head,
                 const Theme& theme) {
    if (const auto* value = tint.of(head))
        drawBar(painter, QRectF(foot.left(), foot.top() + 2, foot.width(), tintBarHeight - 2), tint,
                value->number, theme);
}

QString shortAddress(const trace::HeadAddress& head) {
    return QStringLiteral("%1.%2").arg(head.site.layer).arg(head.head);
}

void drawHeadName(QPainter& painter, const QRect& foot, const trace::HeadAddress& head, const Theme& theme) {
    const QRect line(foot.left(), foot.bottom() + 1 - painter.fontMetrics().height(), foot.width(),
                     painter.fontMetrics().height());
    const QString whole = address(head);
    const bool fits = painter.fontMetrics().horizontalAdvance(whole) <= foot.width();
    painter.setPen(theme.faintText);
    painter.drawText(line, Qt::AlignCenter | Qt::TextDontClip, fits ? whole : shortAddress(head));
}

void drawTintLegend(QPainter& painter, const QRect& line, const HeadTint& tint, const Theme& theme) {
    const int wide = painter.fontMetrics().horizontalAdvance(tint.below());
    painter.setPen(theme.faintText);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, tint.below());
    const QRect bar(line.left() + wide + 8, line.center().y() - tintBarHeight / 2 + 1, legendBar,
                    tintBarHeight - 2);
    for (const double end : {tint.lowest(), tint.highest()})
        drawBar(painter, QRectF(bar), tint, end, theme);
    painter.setPen(theme.faintText);
    painter.drawText(line.adjusted(wide + legendBar + 16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     tint.above());
}

} // namespace headscope::widgets
