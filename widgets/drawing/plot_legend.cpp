#include "widgets/drawing/plot_legend.h"

#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

double drawLegend(QPainter* painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                  const QFont& font, const Theme& theme) {
    constexpr double gap = 6;
    const QFontMetricsF metrics(font);
    const double line = std::ceil(metrics.height());
    const double sample = line * 1.4;
    QPointF at = area.topLeft();
    if (painter)
        painter->setFont(font);
    for (const auto& entry : entries) {
        const double wide = sample + gap + metrics.horizontalAdvance(entry.text);
        if (at.x() > area.left() && at.x() + wide > area.right())
            at = {area.left(), at.y() + line + 2};
        if (painter) {
            painter->save();
            entry.sample(*painter, QRectF(at.x(), at.y() + line * 0.15, sample, line * 0.7));
            painter->restore();
            painter->setPen(theme.text);
            const double room = area.right() - at.x() - sample - gap;
            painter->drawText(QRectF(at.x() + sample + gap, at.y(), room + 2, line),
                              Qt::AlignLeft | Qt::AlignVCenter,
                              metrics.elidedText(entry.text, Qt::ElideRight, room));
        }
        at.rx() += wide + 3 * gap;
    }
    return entries.empty() ? 0 : at.y() + line + gap - area.top();
}

} // namespace headscope::widgets
