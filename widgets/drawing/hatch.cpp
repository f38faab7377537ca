#include "widgets/drawing/hatch.h"

#include "widgets/drawing/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

void drawHatch(QPainter& painter, const QRectF& area, const Theme& theme) {
    painter.fillRect(area, theme.background);
    drawStripes(painter, area, theme.hatch, 6);
}

void drawStripes(QPainter& painter, const QRectF& area, const QColor& colour, double apart) {
    painter.setPen(QPen(colour, 1));
    QList<QLineF> lines;
    // Lines x + y = k, clipped to the area here: the pattern of a brush would be in device pixels.
    const double first = std::ceil((area.left() + area.top()) / apart) * apart;
    for (double k = first; k < area.right() + area.bottom(); k += apart) {
        const double left = std::max(area.left(), k - area.bottom());
        const double right = std::min(area.right(), k - area.top());
        if (right > left)
            lines += QLineF(left, k - left, right, k - right);
    }
    painter.drawLines(lines);
}

} // namespace headscope::widgets
