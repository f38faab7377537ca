#include "widgets/drawing/colour_bar.h"

#include "widgets/drawing/minus_strokes.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double distance = 20; // from the map; leaves room for the mark of the current step
constexpr double thickness = 12;

} // namespace

double colourBarWidth(const ColourScale& scale, const QFont& font) {
    double widest = 0;
    for (const int atMost : {2, 6}) // for a short and a tall bar
        for (const Tick& tick : scale.ticks(atMost))
            widest = std::max(widest, QFontMetricsF(font).horizontalAdvance(tick.text));
    return distance + thickness + 5 + widest;
}

void drawColourBar(QPainter& painter, const QRectF& plot, const ColourScale& scale, const QFont& font,
                   const Theme& theme) {
    const QRectF bar(plot.right() + distance, plot.top(), thickness, plot.height());
    if (bar.height() < 16)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    constexpr int bands = 128;
    for (int band = 0; band < bands; ++band) {
        const double top = std::floor(bar.bottom() - bar.height() * (band + 1) / bands);
        const double bottom = std::floor(bar.bottom() - bar.height() * band / bands);
        painter.fillRect(QRectF(bar.left(), top, bar.width(), bottom - top),
                         QColor(scale.colourAt((band + 0.5) / bands)));
    }
    drawMinusStrokes(painter, bar, scale);
    painter.setPen(theme.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-1, -1, 0, 0));
    painter.setFont(font);
    const double line = QFontMetricsF(font).height();
    const int room = std::max(2, static_cast<int>(bar.height() / (line * 1.5)));
    double lastTop = bar.bottom() + line * 2;
    for (const Tick& tick : scale.ticks(std::min(6, room))) {
        const double y = std::round(bar.bottom() - 1 - scale.position(tick.value) * (bar.height() - 1));
        // Powers of ten may be closer together than a line of text.
        if (lastTop - y < line)
            continue;
        lastTop = y;
        painter.setPen(theme.faintText);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y));
        painter.setPen(theme.text);
        painter.drawText(QRectF(bar.right() + 5, y - line / 2, 80, line), Qt::AlignLeft | Qt::AlignVCenter,
                         tick.text);
    }
    painter.restore();
}

} // namespace headscope::widgets
