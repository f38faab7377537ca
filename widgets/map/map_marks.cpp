#include "widgets/map/map_marks.h"

#include "widgets/drawing/theme.h"

#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

/// Draws a frame around `area`, with lines in the background colour beside it, so that it is visible on every
/// colour of the scale.
void drawFrame(QPainter& painter, const QRectF& area, const QColor& colour, const Theme& theme,
               double width) {
    const double out = width / 2;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.background, width + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(-out, -out, out, out));
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(-out, -out, out, out));
}

/// Erases labels that a highlighted label overlaps, because they would be partly visible.
void wipe(QPainter& painter, const QPolygonF& shape, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.background);
    painter.drawPolygon(shape);
}

void lightRowLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int row,
                   const TokenLabelStyle& style, const QColor& fill, const QColor& text, const Theme& theme) {
    if (picture.rowLabels.empty())
        return;
    const QRectF lit = layout.rowLabelRect(row).adjusted(-3, 0, 3, 0);
    for (const int other : layout.labelledRows())
        if (other != row && layout.rowLabelRect(other).intersects(lit))
            wipe(painter, layout.rowLabelRect(other), theme);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRect(lit);
    drawRowLabel(painter, picture, layout, row, style, TokenInk::on(fill, text));
}

void lightColumnLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int column,
                      const TokenLabelStyle& style, const QColor& fill, const QColor& text,
                      const Theme& theme) {
    const QPolygonF lit = layout.columnLabelShape(column);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const int other : layout.labelledColumns())
        if (other != column && layout.columnLabelShape(other).intersects(lit))
            wipe(painter, layout.columnLabelShape(other), theme);
    painter.setPen(QPen(fill, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin)); // room around the text
    painter.setBrush(fill);
    painter.drawPolygon(lit);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawColumnLabel(painter, picture, layout, column, style, TokenInk::on(fill, text));
}

/// Draws a triangle that points at the end of a row from the right, or of a column from below.
void drawPointer(QPainter& painter, QPointF tip, QPointF away, double size, const Theme& theme) {
    const QPointF across(away.y(), away.x());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.stepMark);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPolygon(QPolygonF({tip, tip + (away - across) * size, tip + (away + across) * size}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void markStepRow(QPainter& painter, const MapLayout& layout, int row, const Theme& theme) {
    const QRectF band = layout.rowRect(row);
    drawFrame(painter, band, theme.stepMark, theme, 1);
    const double size = std::clamp(band.height() / 2, 4.0, 6.0);
    drawPointer(painter, {band.right() + 3, band.center().y()}, {1, 0}, size, theme);
}

void markStepColumn(QPainter& painter, const MapLayout& layout, int column, const Theme& theme) {
    const QRectF band = layout.columnRect(column);
    drawFrame(painter, band, theme.stepMark, theme, 1);
    const double size = std::clamp(band.width() / 2, 4.0, 6.0);
    drawPointer(painter, {band.center().x(), band.bottom() + 3}, {0, 1}, size, theme);
}

} // namespace

void drawMapMarks(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                  const MapMarks& marks, const TokenLabelStyle& style, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int none = -1; // not in any layout
    const int step = marks.stepRow.value_or(none);
    const int stepColumn = marks.stepColumn.value_or(none);
    const int row = marks.row.value_or(none);
    const int column = marks.column.value_or(none);
    // The step's label is omitted if the highlighted label overlaps it; the mark at the map remains.
    const bool coversRow = layout.showsRow(row) && layout.showsRow(step) && row != step &&
                           layout.rowLabelRect(row).intersects(layout.rowLabelRect(step));
    const bool coversColumn = layout.showsColumn(column) && layout.showsColumn(stepColumn) &&
                              column != stepColumn &&
                              layout.columnLabelShape(column).intersects(layout.columnLabelShape(stepColumn));
    if (layout.showsRow(step))
        markStepRow(painter, layout, step, theme);
    if (layout.showsRow(step) && !coversRow)
        lightRowLabel(painter, picture, layout, step, style, theme.stepMark, theme.onAccent, theme);
    if (layout.showsColumn(stepColumn))
        markStepColumn(painter, layout, stepColumn, theme);
    if (layout.showsColumn(stepColumn) && !coversColumn)
        lightColumnLabel(painter, picture, layout, stepColumn, style, theme.stepMark, theme.onAccent, theme);
    if (layout.showsRow(row)) {
        drawFrame(painter, layout.rowRect(row), theme.focus, theme, 1);
        lightRowLabel(painter, picture, layout, row, style, theme.focus, theme.background, theme);
    }
    if (layout.showsColumn(column)) {
        drawFrame(painter, layout.columnRect(column), theme.focus, theme, 1);
        lightColumnLabel(painter, picture, layout, column, style, theme.focus, theme.background, theme);
    }
    if (layout.showsRow(row) && layout.showsColumn(column))
        drawFrame(painter, layout.cellRect(row, column) & layout.plot(), theme.focus, theme, 2);
    painter.restore();
}

} // namespace headscope::widgets
