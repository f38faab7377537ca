#include "widgets/views/what_if/step_bars.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/what_if/step_comparison_view.h"
#include "widgets/words/captions.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double stepBarsGap = 4;

double largestDivergence(const std::vector<analysis::StepComparison>& steps) {
    double largest = 0;
    for (const auto& step : steps)
        if (std::isfinite(step.divergence))
            largest = std::max(largest, step.divergence);
    return largest;
}

} // namespace

double StepBars::lineHeight() const {
    return QFontMetricsF(font).height();
}

/// The scale of the bars still covers all steps.
int StepBars::shownSteps() const {
    return static_cast<int>(std::min(steps.size(), decoded.value_or(steps.size())));
}

StepBars::Strips StepBars::strips() const {
    const double line = lineHeight();
    if (isOneStrip()) {
        const QRectF whole = area.adjusted(0, line + stepBarsGap, -1, -stepBarsGap);
        return {.divergence = whole, .probability = whole};
    }
    const double high = (area.height() - 2 * line - 3 * stepBarsGap) / 2;
    const QRectF strip(area.left(), area.top() + line + stepBarsGap, area.width() - 1, high);
    return {.divergence = strip,
            .probability =
                strip.translated(0, high + line + 2 * stepBarsGap).adjusted(0, 0, 0, -stepBarsGap)};
}

QRectF StepBars::stepRect(int step) const {
    const auto [upper, lower] = strips();
    const double wide = std::min(widest, upper.width() / std::max<double>(1, double(steps.size())));
    return {upper.left() + step * wide, upper.top(), wide, lower.bottom() - upper.top()};
}

void StepBars::drawTitle(QPainter& painter, const QRectF& strip, const QString& title,
                         const Theme& theme) const {
    const double line = lineHeight();
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(strip.left(), strip.top() - line - stepBarsGap, strip.width(), line),
                     Qt::AlignLeft, QFontMetricsF(font).elidedText(title, Qt::ElideRight, strip.width()));
}

void StepBars::drawDivergence(QPainter& painter, const QRectF& strip, const Theme& theme) const {
    const double largest = largestDivergence(steps);
    drawTitle(painter, strip, StepComparisonView::tr("KL, up to %1 nats").arg(numberText(largest)), theme);
    for (int step = 0; step < shownSteps(); ++step) {
        const auto& compared = steps[static_cast<std::size_t>(step)];
        const double share = !std::isfinite(compared.divergence) ? 1
                             : largest > 0                       ? compared.divergence / largest
                                                                 : 0;
        const QRectF place = stepRect(step);
        const double high = share * strip.height();
        painter.fillRect(QRectF(place.left() + 1, strip.bottom() - high, place.width() - 2, high),
                         theme.accent);
        // A line marks steps whose first choice changed: the height alone does not show it.
        if (compared.topChanged) {
            painter.setPen(QPen(theme.text, 2));
            painter.drawLine(QPointF(place.left() + 1, strip.bottom() - high - 1),
                             QPointF(place.right() - 1, strip.bottom() - high - 1));
        }
    }
    painter.setPen(theme.line);
    painter.drawLine(strip.bottomLeft(), strip.bottomRight());
}

void StepBars::drawProbability(QPainter& painter, const QRectF& strip, const Theme& theme) const {
    double largest = 0;
    for (const auto& step : steps)
        largest = std::max(largest, std::abs(step.change()));
    const auto& contrast = steps.front().contrast;
    const QString title =
        compared == analysis::Compared::Numbers
            ? StepComparisonView::tr("Change of the number (max %1)").arg(numberText(largest))
        : contrast ? StepComparisonView::tr("Change in log-probability compared with %1 (max %2)")
                         .arg(quoted(tokenLabel(*contrast)), numberText(largest))
                   : StepComparisonView::tr("Change in probability (max %1)").arg(numberText(largest));
    drawTitle(painter, strip, title, theme);
    const double zero = strip.center().y();
    for (int step = 0; step < shownSteps(); ++step) {
        const double change = steps[static_cast<std::size_t>(step)].change();
        const QRectF place = stepRect(step);
        const double high = largest > 0 ? std::abs(change) / largest * strip.height() / 2 : 0;
        const QRectF bar(place.left() + 1, change > 0 ? zero - high : zero, place.width() - 2, high);
        painter.fillRect(bar, change > 0 ? theme.accent : theme.focus);
    }
    painter.setPen(theme.line);
    painter.drawLine(QPointF(strip.left(), zero), QPointF(strip.right(), zero));
}

void StepBars::drawMark(QPainter& painter, int step, const Theme& theme) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.stepMark, 1));
    const QRectF place = stepRect(step);
    const auto [upper, lower] = strips();
    for (const QRectF& strip : {upper, lower})
        painter.drawRect(QRectF(place.left(), strip.top() - 2, place.width() - 1, strip.height() + 2));
}

void StepBars::draw(QPainter& painter, const Theme& theme) const {
    painter.setFont(font);
    const auto [divergence, probability] = strips();
    if (steps.empty())
        return;
    if (!isOneStrip())
        drawDivergence(painter, divergence, theme);
    drawProbability(painter, probability, theme);
}

} // namespace headscope::widgets
