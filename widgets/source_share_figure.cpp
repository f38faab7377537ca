// The picture that is saved: what each step chose stands below the curve.
#include "widgets/source_share.h"
#include "widgets/theme.h"
#include "widgets/token_label.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

double SourceShareView::widestLabel() const {
    double widest = 0;
    for (std::size_t t = 0; t < shares_.size() && run_ && t < run_->next.size(); ++t)
        widest = std::max(widest, TokenLabelStyle{.font = font()}.width(tokenLabel(run_->next, t)));
    return widest;
}

/// Below the curve: labels, level or upright, and the caption.
double SourceShareView::wordsHeight(double width, bool upright) const {
    const QFontMetricsF metrics(font());
    const QRectF room(0, 0, width - 16, 1e4);
    const double caption = metrics.boundingRect(room, Qt::TextWordWrap, figureText().caption).height();
    return (upright ? widestLabel() : metrics.height()) + caption + 1.2 * metrics.height();
}

/// With upright labels where they are longer than steps are apart, as far as lines are.
QSize SourceShareView::narrowFigure(int width) const {
    const QSize usual = figureSize();
    const double line = QFontMetricsF(font()).height();
    const int least = static_cast<int>(std::ceil(static_cast<double>(shares_.size() + 6) * (line + 1)));
    const int wide = std::max(width, least);
    if (!hasFigure() || wide >= usual.width())
        return usual;
    const double curve = usual.height() - 3.2 * line;
    return {wide, static_cast<int>(std::ceil(curve + wordsHeight(wide, true)))};
}

void SourceShareView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF page(0, 0, size.width(), size.height());
    painter.fillRect(page, theme.background);
    painter.setFont(font());
    const double line = QFontMetricsF(font()).height();
    const double across =
        plot(page, false).width() / static_cast<double>(std::max<std::size_t>(1, shares_.size()));
    const double below = wordsHeight(size.width(), true);
    const bool upright = widestLabel() > across && size.height() - below >= 4 * line;
    const QRectF area = plot(page.adjusted(0, 0, 0, upright ? -below : -3.2 * line), false);
    drawAxis(painter, area, theme);
    drawCurve(painter, area, false, theme);
    drawLabels(painter, area, upright, theme);
    painter.setPen(theme.text);
    const double caption = upright ? below - widestLabel() - 0.8 * line : 1.4 * line;
    painter.drawText(QRectF(8, size.height() - caption, size.width() - 16, caption),
                     Qt::AlignLeft | Qt::TextWordWrap, figureText().caption);
}

/// What each step chose.
void SourceShareView::drawLabels(QPainter& painter, const QRectF& area, bool upright,
                                 const Theme& theme) const {
    const double line = QFontMetricsF(font()).height();
    const TokenLabelStyle style{.font = font()};
    const double pitch = area.width() / static_cast<double>(std::max<std::size_t>(1, shares_.size()));
    painter.setPen(theme.text);
    for (std::size_t t = 0; t < shares_.size() && run_ && t < run_->next.size(); ++t) {
        const QRectF place(area.left() + pitch * static_cast<double>(t), area.bottom() + line / 2, pitch,
                           line);
        const TokenLabel label = tokenLabel(run_->next, t);
        if (!upright) {
            style.draw(painter, place, Qt::AlignHCenter, label, TokenInk::onBackground(theme));
            continue;
        }
        painter.save();
        painter.translate(place.center().x(), place.top());
        painter.rotate(-90);
        style.draw(painter, QRectF(-widestLabel(), -line / 2, widestLabel(), line),
                   Qt::AlignRight | Qt::AlignVCenter, label, TokenInk::onBackground(theme));
        painter.restore();
    }
}

} // namespace headscope::widgets
