#include "widgets/hatch.h"

#include "widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

void drawHatch(QPainter& painter, const QRectF& area, const Theme& theme) {
    constexpr double apart = 6;
    painter.fillRect(area, theme.background);
    painter.setPen(QPen(theme.hatch, 1));
    QList<QLineF> lines;
    // Lines x + y = k, cut at the area's edges by hand: clip paths are lost or costly in some formats.
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
