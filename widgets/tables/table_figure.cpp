#include "widgets/tables/table_figure.h"

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

using Bars = TableColumn::Bars;

constexpr double tableFigureGap = 14; ///< between columns
constexpr double tableFigureLeastBar = 40;
/// Enough for all heads of large models. Tables with a row per token may have more rows than Qt can draw.
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
        drawn.resize(allRows());
        std::iota(drawn.begin(), drawn.end(), 0);
    }
    drawn.resize(std::min(allRows(), tableFigureMostRows));
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

double TableFigure::rowHeight() const {
    return std::ceil(QFontMetricsF(font).height()) + 4;
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
            wide = std::max(wide, column.tokens.empty() ? metrics.horizontalAdvance(text)
                                                        : style.width(column.tokens[row]));
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

QSizeF TableFigure::rowsSize(double wide) const {
    double width = -tableFigureGap;
    bool hasBars = false;
    for (const Place& place : places()) {
        width += place.width + tableFigureGap;
        hasBars = hasBars || isBar(*place.column);
    }
    return {hasBars ? std::max(width, wide) : width,
            static_cast<double>(drawnRows().size() + 1) * rowHeight()};
}

void TableFigure::drawCell(QPainter& painter, const QRectF& cell, const TableColumn& column, int row,
                           const Theme& theme) const {
    if (!column.tokens.empty()) {
        const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
        style.draw(painter, cell, Qt::AlignLeft | Qt::AlignVCenter, column.tokens[row],
                   TokenInk::onBackground(theme));
    } else if (!isBar(column)) {
        painter.drawText(cell, static_cast<int>(column.alignment()) | Qt::TextDontClip, textAt(column, row));
    } else if (const auto number = numberAt(column, row)) {
        const QRectF bar = cell.adjusted(0, 3, 0, -3);
        const double limit = std::max(longestBar, column.longest);
        if (column.tracked)
            TrackedBar{.share = *number / limit,
                       .second = column.second.empty()
                                     ? std::nullopt
                                     : std::optional(column.second.at(row).value_or(0) / limit),
                       .bar = theme.accent,
                       .secondBar = theme.faintText,
                       .track = theme.panel}
                .draw(painter, bar);
        else if (column.fromLeft)
            drawShareBar(painter, bar, *number / limit, theme.accent, theme.faintText);
        else
            drawSignedBar(painter, bar, *number, limit, theme);
        if (!column.ticks.empty() && column.ticks.at(row))
            drawBarTick(painter, bar, *column.ticks.at(row) / limit, column.fromLeft,
                        column.ticksAreOriginal ? theme.changed : theme.text);
    }
}

void TableFigure::drawRows(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const auto drawn = drawnRows();
    const double height = std::min(rowHeight(), area.height() / static_cast<double>(drawn.size() + 1));
    const auto rowArea = [&](std::size_t line) {
        return QRectF(area.left(), area.top() + static_cast<double>(line) * height, area.width(), height);
    };
    if (const auto place = std::ranges::find(drawn, marked.value_or(-1)); place != drawn.end())
        painter.fillRect(rowArea(place - drawn.begin() + 1), theme.panel);
    if (wordsOfRow)
        noteForPage(painter, [&] {
            recorded::AreaWords words;
            for (std::size_t line = 0; line < drawn.size(); ++line)
                words.areas.emplace_back(rowArea(line + 1), wordsOfRow(drawn[line]));
            return words;
        });
    double left = area.left();
    for (const auto& [column, width] : placesWithin(area.width())) {
        painter.setPen(theme.faintText);
        painter.drawText(QRectF(left, area.top(), width, height),
                         static_cast<int>(column->alignment()) | Qt::TextDontClip, column->title);
        painter.setPen(column->isOriginal ? theme.changed : theme.text);
        for (std::size_t line = 0; line < drawn.size(); ++line)
            drawCell(painter, QRectF(left, rowArea(line + 1).top(), width, height), *column, drawn[line],
                     theme);
        left += width + tableFigureGap;
    }
    painter.fillRect(QRectF(area.left(), area.top() + height - 1, area.width(), 1), theme.line);
}

FigureBlock TableFigure::block() const {
    FigureBlock rows{.size = [*this](double wide) { return rowsSize(wide); },
                     .draw = [*this](QPainter& painter, const QRectF& area,
                                     const Theme& theme) { drawRows(painter, area, theme); },
                     .grows = false,
                     .note = [*this](const QRectF&) { return cutInWords(); }};
    return heading.isEmpty() ? rows : stacked({wordsBlock(heading, font), rows});
}

FigureBlocks TableFigure::blocks() const {
    return {.picture = block(), .caption = caption, .font = font, .width = usualWidth - 24};
}

QSize TableFigure::size(int wide) const {
    return blocks().size(parts, wide);
}

void TableFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    painter.translate(area.topLeft());
    blocks().draw(painter, area.size().toSize(), parts, theme);
    painter.translate(-area.topLeft());
}

} // namespace headscope::widgets
