#include "widgets/drawing/wrapped_words.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <QTextLayout>

namespace headscope::widgets {

void drawWrapped(QPainter& painter, const QRectF& area, const QString& words) {
    const QFontMetricsF metrics(painter.font());
    QRectF place(area.left(), area.top(), area.width(), metrics.height());
    const double bottom = area.bottom() + 1; // allows for rounding
    const QStringList paragraphs = words.split('\n');
    for (qsizetype at = 0; at < paragraphs.size(); ++at) {
        const QString& paragraph = paragraphs[at];
        QTextLayout layout(paragraph, painter.font());
        layout.beginLayout();
        for (auto line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            if (place.bottom() > bottom)
                return;
            line.setLineWidth(area.width());
            const bool isLast = place.bottom() + place.height() > bottom;
            QString rest = paragraph.mid(line.textStart());
            if (isLast && at + 1 < paragraphs.size()) // shows that more paragraphs follow
                rest += QStringLiteral(" \u2026");
            const QString text = isLast ? metrics.elidedText(rest, Qt::ElideRight, area.width())
                                        : rest.left(line.textLength());
            // Drawn unclipped: a glyph of a fallback font may be taller than the line.
            painter.drawText(QPointF(place.left(), place.top() + metrics.ascent()), text);
            place.translate(0, place.height());
        }
        layout.endLayout();
    }
}

} // namespace headscope::widgets
