#include "widgets/minus_strokes.h"

#include "widgets/map_picture.h"
#include "widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double minusStrokesLeastCell = 8;

} // namespace

void drawMinusStroke(QPainter& painter, const QRectF& place, const QColor& ground) {
    constexpr double mostSide = 28; // a large cell needs no larger sign
    const double side = std::min({place.width(), place.height(), mostSide});
    const double length = std::max(4.0, std::round(side * 0.4));
    const double thickness = std::max(1.0, std::round(side / 14));
    QColor ink = contrastRatio(Qt::white, ground) > contrastRatio(Qt::black, ground) ? Qt::white : Qt::black;
    ink.setAlpha(176);
    painter.fillRect(QRectF(std::floor(place.center().x() - length / 2),
                            std::floor(place.center().y() - thickness / 2), length, thickness),
                     ink);
}

void drawMinusStrokes(QPainter& painter, const MapPicture& picture, const MapLayout& layout) {
    const QSizeF cell = layout.cellSize();
    if (!picture.scale.isDiverging() || std::min(cell.width(), cell.height()) < minusStrokesLeastCell)
        return;
    const QRgb zero = picture.scale.colour(0);
    const QRectF seen = layout.window();
    const auto end = [](double edge, std::size_t count) {
        return std::min(static_cast<std::size_t>(std::ceil(std::max(0.0, edge))), count);
    };
    for (auto row = static_cast<std::size_t>(seen.top()); row < end(seen.bottom(), picture.values.rows());
         ++row)
        for (auto column = static_cast<std::size_t>(seen.left());
             column < end(seen.right(), picture.values.columns()); ++column) {
            const double value = picture.values(row, column);
            const bool isOpen = !picture.mask || (*picture.mask)(row, column) != 0;
            const QRgb tone = picture.scale.colour(value);
            if (isOpen && value < 0 && tone != zero)
                drawMinusStroke(painter, layout.cellRect(static_cast<int>(row), static_cast<int>(column)),
                                QColor(tone));
        }
}

void drawMinusStrokes(QPainter& painter, const QRectF& bar, const ColourScale& scale) {
    if (!scale.isDiverging())
        return;
    const double zero = bar.bottom() - scale.position(0) * bar.height();
    const double side = bar.width();
    for (double bottom = bar.bottom(); bottom - side >= zero; bottom -= side) {
        const QRectF place(bar.left(), bottom - side, side, side);
        const double position = (bar.bottom() - place.center().y()) / bar.height();
        drawMinusStroke(painter, place, QColor(scale.colourAt(position)));
    }
}

void drawMinusOnBar(QPainter& painter, const QRectF& bar, bool isLevel, const QColor& colour,
                    const Theme& theme) {
    if ((isLevel ? bar.height() : bar.width()) < minusStrokesLeastCell)
        return;
    if ((isLevel ? bar.width() : bar.height()) >= minusStrokesLeastCell)
        drawMinusStroke(painter, bar, colour);
    else if (isLevel)
        drawMinusStroke(painter, QRectF(bar.right(), bar.top(), minusStrokesLeastCell, bar.height()),
                        theme.background);
    else
        drawMinusStroke(painter, QRectF(bar.left(), bar.bottom(), bar.width(), minusStrokesLeastCell),
                        theme.background);
}

} // namespace headscope::widgets
