#include "widgets/tables/table_figure.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/named_labels.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

using Bars = TableColumn::Bars;

constexpr double tableFigureMargin = 16;
constexpr double tableFigureGap = 14; ///< between columns
constexpr double tableFigureLeastBar = 40;
constexpr double tableFigureLeastWords = 480;
/// All heads of large models. A table with a row a token may have more rows than Qt can draw.
constexpr int tableFigureMostRows = 600;

bool isBar(const TableColumn& column) {
    return column.bars == Bars::Alone;
}

} // namespace

int TableFigure::allRows() const {
    return !rows.empty() ? static_cast<int>(rows.size()) : columns.empty() ? 0 : columns.front().rows();
}

std::vector<int> TableFigure::drawnRows() const {
    std::vector<int> drawn = rows;
    if (drawn.empty()) {
        drawn.resize(static_cast<std::size_t>(allRows()));
        std::iota(drawn.begin(), drawn.end(), 0);
    }
    drawn.resize(static_cast<std::size_t>(std::min(allRows(), tableFigureMostRows)));
    return drawn;
}

QString TableFigure::cutInWords() const {
    return allRows() <= tableFigureMostRows
               ? QString()
               : QChar(' ') + QCoreApplication::translate("TableFigure", "The first %1 of %2 rows.")
                                  .arg(tableFigureMostRows)
                                  .arg(allRows());
}

QString TableFigure::words() const {
    return caption + cutInWords();
}

QString TableFigure::drawnWords() const {
    return wordsWithNamed(caption, parts, [this](const QString&) { return cutInWords(); });
}

double TableFigure::rowHeight() const {
    return std::ceil(QFontMetricsF(font).height()) + 4;
}

double TableFigure::textHeight(double width, const QString& text) const {
    const QRectF room(0, 0, width, 1000);
    return std::ceil(QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, text).height()) + 8;
}

double TableFigure::headingHeight(double width) const {
    return heading.isEmpty() ? 0 : textHeight(width, heading);
}

double TableFigure::wordsHeight(double width) const {
    return drawnWords().isEmpty() ? 0 : textHeight(width, drawnWords());
}

std::vector<TableFigure::Place> TableFigure::places() const {
    const QFontMetricsF metrics(font);
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    const auto drawn = drawnRows();
    std::vector<Place> places;
    for (const TableColumn& column : columns) {
        double wide =
            std::max(metrics.horizontalAdvance(column.title), metrics.horizontalAdvance(column.sample));
        bool says = isBar(column);
        for (const int row : drawn) {
            const QString text = textAt(column, row);
            wide = std::max(wide, column.tokens.empty()
                                      ? metrics.horizontalAdvance(text)
                                      : style.width(column.tokens[static_cast<std::size_t>(row)]));
            says = says || (!text.isEmpty() && text != QStringLiteral("\u2013"));
        }
        if (says && !column.hidden)
            places.push_back(
                {.column = &column,
                 .width = std::ceil(isBar(column) ? std::max(wide, tableFigureLeastBar) : wide)});
    }
    return places;
}

std::vector<TableFigure::Place> TableFigure::placesWithin(double width) const {
    auto all = places();
    double left = width + tableFigureGap;
    for (const Place& place : all)
        left -= place.width + tableFigureGap;
    const auto isStretched = [&](const Place& place) {
        return left < 0 ? !place.column->tokens.empty() : isBar(*place.column);
    };
    if (const auto place = std::ranges::find_if(all, isStretched); place != all.end())
        place->width = std::max(tableFigureLeastBar, place->width + left);
    return all;
}

QSize TableFigure::size(int wide) const {
    double width = -tableFigureGap;
    bool hasBars = false;
    for (const Place& place : places()) {
        width += place.width + tableFigureGap;
        hasBars = hasBars || isBar(*place.column);
    }
    if (hasBars)
        width = std::max(width, wide - 2 * tableFigureMargin);
    else if (!drawnWords().isEmpty())
        width = std::max(width, tableFigureLeastWords);
    const double rowsHigh = (static_cast<int>(drawnRows().size()) + 1) * rowHeight();
    return QSizeF(width + 2 * tableFigureMargin,
                  headingHeight(width) + rowsHigh + wordsHeight(width) + 2 * tableFigureMargin)
        .toSize();
}

void TableFigure::drawCell(QPainter& painter, const QRectF& cell, const TableColumn& column, int row,
                           const Theme& theme) const {
    if (!column.tokens.empty()) {
        const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
        style.draw(painter, cell, Qt::AlignLeft | Qt::AlignVCenter,
                   column.tokens[static_cast<std::size_t>(row)], TokenInk::onBackground(theme));
    } else if (!isBar(column)) {
        painter.drawText(cell, static_cast<int>(column.alignment()) | Qt::TextDontClip, textAt(column, row));
    } else if (const auto number = numberAt(column, row)) {
        const QRectF bar = cell.adjusted(0, 3, 0, -3);
        const double limit = std::max(longestBar, column.longest);
        if (column.fromLeft)
            drawShareBar(painter, bar, *number / limit, theme.accent, theme.faintText);
        else
            drawSignedBar(painter, bar, *number, limit, theme);
    }
}

void TableFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const QRectF inside =
        area.adjusted(tableFigureMargin, tableFigureMargin, -tableFigureMargin, -tableFigureMargin);
    const auto drawn = drawnRows();
    const double below = wordsHeight(inside.width());
    const double above = headingHeight(inside.width());
    const double height =
        std::min(rowHeight(), (inside.height() - above - below) / static_cast<double>(drawn.size() + 1));
    const double top = inside.top() + above;
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), inside.top(), inside.width(), above),
                     Qt::AlignLeft | Qt::TextWordWrap, heading);
    const auto rowArea = [&](std::size_t line) {
        return QRectF(inside.left(), top + static_cast<double>(line) * height, inside.width(), height);
    };
    if (const auto place = std::ranges::find(drawn, marked.value_or(-1)); place != drawn.end())
        painter.fillRect(rowArea(static_cast<std::size_t>(place - drawn.begin()) + 1), theme.panel);
    double left = inside.left();
    for (const auto& [column, width] : placesWithin(inside.width())) {
        painter.setPen(theme.faintText);
        painter.drawText(QRectF(left, top, width, height),
                         static_cast<int>(column->alignment()) | Qt::TextDontClip, column->title);
        painter.setPen(theme.text);
        for (std::size_t line = 0; line < drawn.size(); ++line)
            drawCell(painter, QRectF(left, rowArea(line + 1).top(), width, height), *column, drawn[line],
                     theme);
        left += width + tableFigureGap;
    }
    painter.fillRect(QRectF(inside.left(), top + height - 1, inside.width(), 1), theme.line);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), rowArea(drawn.size() + 1).top() + 8, inside.width(), below),
                     Qt::AlignLeft | Qt::TextWordWrap, drawnWords());
}

} // namespace headscope::widgets
