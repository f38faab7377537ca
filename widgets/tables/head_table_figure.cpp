#include "widgets/tables/head_table_figure.h"

#include "widgets/drawing/theme.h"
#include "widgets/map/named_labels.h"
#include "widgets/tables/token_delegate.h"

#include <QAbstractItemModel>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headscope::widgets {

namespace {

constexpr double headTableFigureMargin = 16;
constexpr double headTableGap = 14; ///< between columns
/// All heads of large models; what has a row a token may have more than Qt can draw.
constexpr int headTableMostRows = 600;

QString textAt(const QAbstractItemModel& table, int row, int column) {
    return table.index(row, column).data(Qt::DisplayRole).toString();
}

std::optional<TokenLabel> labelAt(const QAbstractItemModel& table, int row, int column) {
    const QVariant label = table.index(row, column).data(TokenDelegate::labelRole);
    return label.canConvert<TokenLabel>() ? std::optional(label.value<TokenLabel>()) : std::nullopt;
}

/// As the title stands, or where it does not say so, as the cells do.
Qt::Alignment sideOf(const QAbstractItemModel& table, int column) {
    const QVariant title = table.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    const QVariant side = title.isValid() ? title : table.index(0, column).data(Qt::TextAlignmentRole);
    return Qt::Alignment(side.toInt());
}

} // namespace

int HeadTableFigure::rows() const {
    return std::min(table.rowCount(), headTableMostRows);
}

QString HeadTableFigure::cutInWords() const {
    return rows() == table.rowCount()
               ? QString()
               : QChar(' ') + QCoreApplication::translate("HeadTableFigure", "The first %1 of %2 rows.")
                                  .arg(rows())
                                  .arg(table.rowCount());
}

QString HeadTableFigure::words() const {
    return caption + cutInWords();
}

QString HeadTableFigure::drawnWords() const {
    return wordsWithNamed(caption, parts, [this](const QString&) { return cutInWords(); });
}

double HeadTableFigure::rowHeight() const {
    return std::ceil(QFontMetricsF(font).height()) + 4;
}

std::vector<HeadTableFigure::Column> HeadTableFigure::columns() const {
    const QFontMetricsF metrics(font);
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    std::vector<Column> shown;
    for (int column = 0; column < table.columnCount(); ++column) {
        if (isLeftOut && isLeftOut(column))
            continue;
        double wide = 0;
        bool says = false;
        for (int row = 0; row < rows(); ++row) {
            const QString text = textAt(table, row, column);
            const auto label = labelAt(table, row, column);
            wide = std::max(wide, label ? style.width(*label) : metrics.horizontalAdvance(text));
            says = says || (!text.isEmpty() && text != QStringLiteral("\u2013"));
        }
        const QString title = table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (says)
            shown.push_back(
                {.index = column, .width = std::ceil(std::max(wide, metrics.horizontalAdvance(title)))});
    }
    return shown;
}

/// With the distance to the rows.
double HeadTableFigure::wordsHeight(double width) const {
    const QString words = drawnWords();
    const QRectF room(0, 0, width, 1000);
    return words.isEmpty()
               ? 0
               : std::ceil(QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, words).height()) + 8;
}

QSize HeadTableFigure::size() const {
    double width = -headTableGap;
    for (const auto& column : columns())
        width += column.width + headTableGap;
    if (!drawnWords().isEmpty())
        width = std::max(width, 480.0);
    return QSizeF(width + 2 * headTableFigureMargin,
                  (rows() + 1) * rowHeight() + wordsHeight(width) + 2 * headTableFigureMargin)
        .toSize();
}

void HeadTableFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const QRectF inside = area.adjusted(headTableFigureMargin, headTableFigureMargin, -headTableFigureMargin,
                                        -headTableFigureMargin);
    const double words = wordsHeight(inside.width());
    const double height = std::min(rowHeight(), (inside.height() - words) / (rows() + 1));
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    const auto place = [&](int row, double left, const Column& column) {
        return QRectF(left, inside.top() + row * height, column.width, height);
    };
    const auto drawText = [&](const QRectF& cell, Qt::Alignment side, const QString& text) {
        painter.drawText(cell, static_cast<int>(side) | Qt::TextDontClip, text);
    };
    painter.setFont(font);
    double left = inside.left();
    for (const auto& column : columns()) {
        const Qt::Alignment side = sideOf(table, column.index);
        painter.setPen(theme.faintText);
        drawText(place(0, left, column), side,
                 table.headerData(column.index, Qt::Horizontal, Qt::DisplayRole).toString());
        painter.setPen(theme.text);
        for (int row = 0; row < rows(); ++row) {
            const QRectF cell = place(row + 1, left, column);
            if (const auto label = labelAt(table, row, column.index))
                style.draw(painter, cell, side, *label, TokenInk::onBackground(theme));
            else
                drawText(cell, side, textAt(table, row, column.index));
        }
        left += column.width + headTableGap;
    }
    painter.fillRect(QRectF(inside.left(), inside.top() + height - 1, inside.width(), 1), theme.line);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), inside.top() + (rows() + 1) * height + 8, inside.width(), words),
                     Qt::AlignLeft | Qt::TextWordWrap, drawnWords());
}

} // namespace headscope::widgets
