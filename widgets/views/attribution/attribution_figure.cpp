#include "widgets/views/attribution/attribution_figure.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/attribution/attribution_model.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double attributionGap = 16; ///< between columns
constexpr double indentation = 16;
constexpr double attributionWidth = 496;

} // namespace

double AttributionFigure::rowHeight() const {
    return std::ceil(QFontMetricsF(font).height()) + 4;
}

QRectF AttributionFigure::cell(const QRectF& row, int column) const {
    const QFontMetricsF metrics(font);
    const double number = metrics.horizontalAdvance(QStringLiteral("+00.0000"));
    double name = 0;
    for (const auto& [index, depth] : rows)
        name = std::max(name, metrics.horizontalAdvance(index.data().toString()) + depth * indentation);
    name = std::min(name, row.width() / 2);
    switch (column) {
    case AttributionModel::Part:
        return {row.left(), row.top(), name, row.height()};
    case AttributionModel::Bar:
        return {row.left() + name + attributionGap, row.top(),
                std::max(0.0, row.width() - name - number - 2 * attributionGap), row.height()};
    default:
        return {row.right() - number, row.top(), number, row.height()};
    }
}

void AttributionFigure::drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const {
    painter.setPen(theme.faintText);
    for (int column = 0; column < AttributionModel::ColumnCount; ++column)
        painter.drawText(cell(row, column),
                         model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() |
                             Qt::TextDontClip,
                         model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line);
}

void AttributionFigure::drawRow(QPainter& painter, const QRectF& row, const QModelIndex& index, int depth,
                                const Theme& theme) const {
    const auto at = [&](int column) { return index.siblingAtColumn(column); };
    const QRectF name = cell(row, AttributionModel::Part).adjusted(depth * indentation, 0, 0, 0);
    painter.setPen(depth > 0 ? theme.faintText : theme.text);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(index.data().toString(), Qt::ElideRight, name.width()));
    drawSignedBar(painter, cell(row, AttributionModel::Bar).adjusted(0, 3, 0, -3),
                  model.data(index, AttributionModel::ValueRole).toDouble(), limit, theme);
    painter.drawText(cell(row, AttributionModel::Value), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                     at(AttributionModel::Value).data().toString());
}

void AttributionFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const double lines = static_cast<double>(rows.size()) + 2; // includes the header and the sum
    const double height = std::min(rowHeight(), area.height() / lines);
    const auto row = [&](std::size_t line) {
        return QRectF(area.left(), area.top() + static_cast<double>(line) * height, area.width(), height);
    };
    drawHeader(painter, row(0), theme);
    for (std::size_t i = 0; i < rows.size(); ++i)
        drawRow(painter, row(i + 1), rows[i].first, rows[i].second, theme);
    const QRectF foot = row(rows.size() + 1);
    painter.fillRect(QRectF(foot.left(), foot.top(), foot.width(), 1), theme.line);
    painter.setPen(theme.text);
    painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, sum);
}

FigureBlock AttributionFigure::block() const {
    const QSizeF size(attributionWidth, (static_cast<double>(rows.size()) + 2) * rowHeight());
    return {.size = [=](double) { return size; },
            .draw = [*this](QPainter& painter, const QRectF& area,
                            const Theme& theme) { draw(painter, area, theme); },
            .grows = false};
}

} // namespace headscope::widgets
