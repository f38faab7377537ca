#include "widgets/views/importance/importance_figure.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/importance/importance_model.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double importanceFigureMargin = 16;
constexpr double importanceGap = 16; ///< between columns
constexpr double importanceWidth = 520;

} // namespace

double ImportanceFigure::rowHeight() const {
    return std::ceil(QFontMetricsF(font).height()) + 4;
}

double ImportanceFigure::captionHeight(double wide) const {
    const QRectF room(0, 0, wide, 1000);
    return caption.isEmpty()
               ? 0
               : std::ceil(QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, caption).height()) + 8;
}

QSize ImportanceFigure::size() const {
    return QSizeF(importanceWidth, (model.rowCount() + 1) * rowHeight() +
                                       captionHeight(importanceWidth - 2 * importanceFigureMargin) +
                                       2 * importanceFigureMargin)
        .toSize();
}

bool ImportanceFigure::isShown(int column) const {
    return column != ImportanceModel::Twin || model.hasTwin();
}

QRectF ImportanceFigure::cell(const QRectF& row, int column) const {
    const QFontMetricsF metrics(font);
    const double number = metrics.horizontalAdvance(QStringLiteral("+00.0000"));
    std::array<double, ImportanceModel::ColumnCount> wide{};
    wide[ImportanceModel::Rank] = metrics.horizontalAdvance(QStringLiteral("000"));
    wide[ImportanceModel::Head] = metrics.horizontalAdvance(QStringLiteral("encoder.00.00"));
    wide[ImportanceModel::Importance] = wide[ImportanceModel::Divergence] = number;
    wide[ImportanceModel::Twin] = number;
    double taken = -importanceGap;
    for (int each = 0; each < ImportanceModel::ColumnCount; ++each)
        if (isShown(each))
            taken += wide[static_cast<std::size_t>(each)] + importanceGap;
    wide[ImportanceModel::Bar] = std::max(0.0, row.width() - taken);
    double left = row.left();
    for (int before = 0; before < column; ++before)
        if (isShown(before))
            left += wide[static_cast<std::size_t>(before)] + importanceGap;
    return {left, row.top(), wide[static_cast<std::size_t>(column)], row.height()};
}

void ImportanceFigure::drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const {
    painter.setPen(theme.faintText);
    for (int column = 0; column < ImportanceModel::ColumnCount; ++column)
        if (isShown(column))
            painter.drawText(cell(row, column),
                             model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() |
                                 Qt::TextDontClip,
                             model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line);
}

void ImportanceFigure::drawRow(QPainter& painter, const QRectF& row, int index, const Theme& theme) const {
    painter.setPen(theme.text);
    for (int column = 0; column < ImportanceModel::ColumnCount; ++column) {
        const QModelIndex at = model.index(index, column);
        if (column == ImportanceModel::Bar)
            drawSignedBar(painter, cell(row, column).adjusted(0, 3, 0, -3),
                          model.data(at, ImportanceModel::ValueRole).toDouble(), limit, theme);
        else if (isShown(column))
            painter.drawText(cell(row, column),
                             model.data(at, Qt::TextAlignmentRole).toInt() | Qt::TextDontClip,
                             model.data(at, Qt::DisplayRole).toString());
    }
}

void ImportanceFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const QRectF inside = area.adjusted(importanceFigureMargin, importanceFigureMargin,
                                        -importanceFigureMargin, -importanceFigureMargin);
    const double words = captionHeight(inside.width());
    const double height = std::min(rowHeight(), (inside.height() - words) / (model.rowCount() + 1));
    const auto row = [&](int index) {
        return QRectF(inside.left(), inside.top() + index * height, inside.width(), height);
    };
    painter.setFont(font);
    drawHeader(painter, row(0), theme);
    for (int index = 0; index < model.rowCount(); ++index)
        drawRow(painter, row(index + 1), index, theme);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), row(model.rowCount() + 1).top() + 8, inside.width(), words),
                     Qt::AlignLeft | Qt::TextWordWrap, caption);
}

} // namespace headscope::widgets
