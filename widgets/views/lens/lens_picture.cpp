#include "widgets/views/lens/lens_picture.h"

#include "widgets/drawing/theme.h"
#include "widgets/views/lens/lens_words.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double lensPicturePadding = 5;

struct LensPictureWords {
    Q_DECLARE_TR_FUNCTIONS(Lens)
};

/// Draws a frame inside `area`. A line in the background colour makes it visible on every fill.
void drawFrame(QPainter& painter, const QRectF& area, const QColor& colour, const Theme& theme) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.background, 1, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(2.5, 2.5, -3.5, -3.5));
    painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(1, 1, -2, -2));
}

} // namespace

LensLayoutInput LensPicture::measured() const {
    const QFontMetricsF metrics(style.font);
    LensLayoutInput input{.rows = table.rows(), .lineHeight = style.lineHeight()};
    for (int column = 0; column < table.columns(); ++column) {
        double widest = style.width(table.chosen(column));
        for (int row = 0; row < table.rows(); ++row)
            widest = std::max(widest, style.width(table.piece({row, column})));
        input.columnWidths.push_back(widest);
    }
    input.layerWidth = metrics.horizontalAdvance(LensPictureWords::tr("layer"));
    for (int row = 0; row < table.rows(); ++row)
        input.nameWidth = std::max(input.nameWidth, metrics.horizontalAdvance(lensRowName(table, row)));
    return input;
}

void LensPicture::draw(QPainter& painter, QSizeF area, const LensLayout& layout, QPointF offset,
                       const Theme& theme) const {
    painter.save();
    painter.setFont(style.font);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double left = layout.headingWidth();
    const double top = layout.headingHeight();
    const auto part = [&](const QRectF& clip, QPointF by, auto&& drawPart) {
        painter.save();
        painter.setClipRect(clip, Qt::IntersectClip);
        painter.translate(-by);
        drawPart(clip.translated(by));
        painter.restore();
    };
    part({left, top, area.width() - left, area.height() - top}, offset, [&](const QRectF& sight) {
        drawCells(painter, layout, sight, theme);
        drawMarks(painter, layout, theme);
    });
    part({left, 0, area.width() - left, top}, {offset.x(), 0},
         [&](const QRectF& sight) { drawColumnHeadings(painter, layout, sight, theme); });
    part({0, top, left, area.height() - top}, {0, offset.y()}, [&](const QRectF& sight) {
        drawRowHeadings(painter, layout, sight, theme);
        drawLayers(painter, layout, sight, theme);
    });
    drawCorner(painter, layout, theme);
    painter.restore();
}

/// Titles of the headings.
void LensPicture::drawCorner(QPainter& painter, const LensLayout& layout, const Theme& theme) const {
    const QRectF corner(lensPicturePadding, 0, layout.headingWidth() - 2 * lensPicturePadding,
                        layout.headingHeight());
    painter.setPen(theme.faintText);
    painter.drawText(corner, Qt::AlignLeft | Qt::AlignVCenter, LensPictureWords::tr("layer"));
    const QFontMetricsF metrics(style.font);
    const QRectF rest = corner.adjusted(layout.layerWidth(), 0, 0, 0);
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(LensPictureWords::tr("chosen"), Qt::ElideRight, rest.width()));
}

void LensPicture::drawCells(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                            const Theme& theme) const {
    for (int column = 0; column < layout.columns() && hasColumn(column); ++column)
        for (int row = 0; row < layout.rows(); ++row)
            if (const QRectF area = layout.cell({row, column}); area.intersects(sight))
                drawCell(painter, area.adjusted(0, 0, -1, -1), {row, column}, theme);
}

void LensPicture::drawCell(QPainter& painter, const QRectF& area, MapCell cell, const Theme& theme) const {
    const QColor fill = lensTintColour(lensTintPosition(tint, table.reading(cell)), theme);
    const QColor ink = readableOn(fill);
    painter.fillRect(area, fill);
    style.draw(painter, area.adjusted(lensPicturePadding - 1, 0, -lensPicturePadding, 0), Qt::AlignHCenter,
               table.piece(cell), TokenInk::on(fill, ink));
    // Inside the cell: at its edge a light line would look like the gap between two cells.
    if (table.decidedRow(cell.column) == cell.row)
        painter.fillRect(QRectF(area.left() + 3, area.bottom() - 3, area.width() - 6, 2), ink);
}

void LensPicture::drawMarks(QPainter& painter, const LensLayout& layout, const Theme& theme) const {
    const auto column = [&](int at) {
        return layout.cell({0, at}).united(layout.cell({layout.rows() - 1, at}));
    };
    if (step && *step < layout.columns())
        drawFrame(painter, column(*step), theme.stepMark, theme);
    if (lit && *lit < layout.columns())
        drawFrame(painter, column(*lit), theme.focus, theme);
    if (cursor && table.has(*cursor))
        drawFrame(painter, layout.cell(*cursor), theme.focus, theme);
}

void LensPicture::drawColumnHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                                     const Theme& theme) const {
    for (int column = 0; column < layout.columns() && hasColumn(column); ++column) {
        const QRectF area = layout.columnHeading(column);
        if (!area.intersects(sight))
            continue;
        const bool isLit = lit == column || (cursor && cursor->column == column);
        const bool isStep = step == column;
        TokenInk ink = TokenInk::onBackground(theme);
        if (isLit || isStep) {
            const QColor fill = isLit ? theme.focus : theme.stepMark;
            painter.fillRect(area.adjusted(0, 1, -1, -1), fill);
            ink = TokenInk::on(fill, isLit ? theme.background : theme.onAccent);
        }
        style.draw(painter, area.adjusted(lensPicturePadding - 1, 0, -lensPicturePadding, 0),
                   Qt::AlignHCenter, table.chosen(column), ink);
    }
}

void LensPicture::drawRowHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                                  const Theme& theme) const {
    const QFontMetricsF metrics(style.font);
    for (int row = 0; row < layout.rows(); ++row) {
        const QRectF area = layout.rowHeading(row);
        if (!area.intersects(sight))
            continue;
        const bool isLit = cursor && cursor->row == row;
        const QRectF name = area.adjusted(layout.layerWidth(), 0, -1, -1);
        if (isLit)
            painter.fillRect(name, theme.focus);
        painter.setPen(isLit ? theme.background : theme.text);
        const QRectF words = name.adjusted(lensPicturePadding - 1, 0, -lensPicturePadding + 1, 0);
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(lensRowName(table, row), Qt::ElideRight, words.width()));
    }
}

/// Centres the number of a layer on the visible part of its rows, and draws a line between layers.
void LensPicture::drawLayers(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                             const Theme& theme) const {
    for (int first = 0, row = 0; row < layout.rows(); ++row) {
        const auto sublayer = table.sublayer(row);
        const auto below = row + 1 < layout.rows() ? table.sublayer(row + 1) : std::nullopt;
        if (!sublayer || (below && below->layer == sublayer->layer))
            continue;
        const QRectF rows = layout.rowHeading(first).united(layout.rowHeading(row));
        const QRectF seen = rows & sight;
        painter.fillRect(QRectF(rows.left(), rows.bottom() - 1, rows.width() - 1, 1), theme.line);
        painter.setPen(theme.faintText);
        if (seen.height() >= style.lineHeight())
            painter.drawText(QRectF(lensPicturePadding, seen.top(), layout.layerWidth() - lensPicturePadding,
                                    seen.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, QString::number(sublayer->layer));
        first = row + 1;
    }
}

} // namespace headscope::widgets
