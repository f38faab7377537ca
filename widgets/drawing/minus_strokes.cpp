#include "widgets/drawing/minus_strokes.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

void drawMinusStroke(QPainter& painter, const QRectF& place, const QColor& ground) {
    constexpr double mostSide = 28; // large cells need no larger sign
    const double side = std::min({place.width(), place.height(), mostSide});
    const double length = std::max(4.0, std::round(side * 0.4));
    const double thickness = std::max(1.0, std::round(side / 14));
    QColor ink = contrastRatio(Qt::white, ground) > contrastRatio(Qt::black, ground) ? Qt::white : Qt::black;
    ink.setAlpha(176);
    painter.fillRect(QRectF(std::floor(place.center().x() - length / 2),
                            std::floor(place.center().y() - thickness / 2), length, thickness),
                     ink);
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
    if ((isLevel ? bar.height() : bar.width()) < leastMinusCell)
        return;
    if ((isLevel ? bar.width() : bar.height()) >= leastMinusCell)
        drawMinusStroke(painter, bar, colour);
    else if (isLevel)
        drawMinusStroke(painter, QRectF(bar.right(), bar.top(), leastMinusCell, bar.height()),
                        theme.background);
    else
        drawMinusStroke(painter, QRectF(bar.left(), bar.bottom(), bar.width(), leastMinusCell),
                        theme.background);
}

} // namespace headscope::widgets
