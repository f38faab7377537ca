#include "widgets/drawing/empty_state.h"

#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

void drawEmptyState(QPainter& painter, const QRectF& area, const QString& whatItShows,
                    const QString& wayThere, const Theme& theme) {
    painter.save();
    const QRectF words = area.adjusted(area.width() * 0.1, 8, -area.width() * 0.1, -8);
    const int flags = Qt::AlignHCenter | Qt::TextWordWrap;
    const QFontMetricsF metrics(painter.font());
    const double first = metrics.boundingRect(words, flags, whatItShows).height();
    const double second = metrics.boundingRect(words, flags, wayThere).height();
    const double top = std::max(words.top(), words.center().y() - (first + second + 8) / 2);
    painter.setPen(theme.text);
    painter.drawText(QRectF(words.left(), top, words.width(), first + 2), flags, whatItShows);
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(words.left(), top + first + 8, words.width(), second + 2), flags, wayThere);
    painter.restore();
}

} // namespace headscope::widgets
