#include "widgets/plots/points_picture.h"

#include "widgets/drawing/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

PlotAxis axisUp(const Points& points) {
    std::vector<double> all;
    for (const auto& row : points.rows)
        all.insert(all.end(), row.values.begin(), row.values.end());
    return decadesAround(all, points.yTitle);
}

/// Circles or squares, so that series can be told apart without colour.
void drawMark(QPainter& painter, std::size_t row, QPointF at, double radius) {
    if (row == 0)
        painter.drawEllipse(at, radius, radius);
    else
        painter.drawRect(QRectF(at - QPointF(radius, radius), at + QPointF(radius, radius)));
}

} // namespace

PointsPicture::PointsPicture(Points points) : points_(std::move(points)), up_(axisUp(points_)) {}

int PointsPicture::columns() const {
    std::size_t most = 0;
    for (const auto& row : points_.rows)
        most = std::max(most, row.values.size());
    return static_cast<int>(most);
}

double PointsPicture::value(MapCell mark) const {
    const auto& values = points_.rows[static_cast<std::size_t>(mark.row)].values;
    const auto column = static_cast<std::size_t>(mark.column);
    return column < values.size() && std::isfinite(values[column]) ? std::max(0.0, values[column]) : 0;
}

std::vector<LegendEntry> PointsPicture::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries;
    for (std::size_t row = 0; points_.rows.size() > 1 && row < points_.rows.size(); ++row)
        entries.push_back(
            {[row, colour = categoryColours(theme).at(row)](QPainter& painter, const QRectF& sample) {
                 painter.setPen(QPen(colour, 1.2));
                 painter.setBrush(colour);
                 drawMark(painter, row, sample.center(), 4);
                 painter.setBrush(Qt::NoBrush);
             },
             points_.rows[row].name});
    return entries;
}

PlotFrame PointsPicture::frame(const QRectF& area, const QFont& font) const {
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    return {{.least = -0.5, .most = std::max(1, columns()) - 0.5, .title = points_.xTitle, .whole = true},
            up_,
            font,
            area.adjusted(0, above, 0, 0)};
}

double PointsPicture::radius(const PlotFrame& axes) const {
    return std::clamp(axes.plot().width() / std::max(1, columns()) * 0.5, 1.5, 4.0);
}

void PointsPicture::draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
    painter.save();
    drawLegend(&painter, area, legend(theme), font, theme);
    const PlotFrame axes = frame(area, font);
    axes.draw(painter, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int row = 0; row < rows(); ++row) {
        const auto& points = points_.rows[static_cast<std::size_t>(row)];
        const QColor colour = categoryColours(theme).at(static_cast<std::size_t>(row));
        painter.setPen(QPen(colour, 1.2));
        for (int column = 0; column < columns(); ++column) {
            const double value = this->value({row, column});
            if (value == 0)
                continue;
            const bool hollow = !points.hollow.empty() && points.hollow[static_cast<std::size_t>(column)];
            painter.setBrush(hollow ? theme.background : colour);
            drawMark(painter, static_cast<std::size_t>(row), QPointF(axes.x(column), axes.y(value)),
                     radius(axes));
        }
    }
    painter.restore();
}

QRectF PointsPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    const double around = radius(axes) + 2;
    const double x = axes.x(mark.column);
    const double value = this->value(mark);
    if (value == 0)
        return {x - around, axes.plot().top(), 2 * around, axes.plot().height()};
    return {x - around, axes.y(value) - around, 2 * around, 2 * around};
}

std::optional<MapCell> PointsPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    if (columns() == 0 || !axes.plot().adjusted(-4, -8, 4, 8).contains(point))
        return std::nullopt;
    MapCell nearest{0, std::clamp(static_cast<int>(std::lround(axes.valueAt(point.x()))), 0, columns() - 1)};
    const auto away = [&](int row) {
        const double value = this->value({row, nearest.column});
        return value > 0 ? std::abs(axes.y(value) - point.y()) : axes.plot().height();
    };
    for (int row = 1; row < rows(); ++row)
        if (away(row) < away(nearest.row))
            nearest.row = row;
    return nearest;
}

QString PointsPicture::inWords(MapCell mark) const {
    return points_.describe ? points_.describe(mark) : QString();
}

} // namespace headscope::widgets
