#include "widgets/step_comparison_view.h"

#include "widgets/captions.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"
#include "widgets/token_label.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double gap = 4;
constexpr double widestBar = 28;

} // namespace

StepComparisonView::StepComparisonView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    setAccessibleName(tr("Change at every step"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(selection_, &Selection::stepChanged, this, [this] {
        describe();
        update();
    });
}

void StepComparisonView::setSteps(std::vector<analysis::StepComparison> steps) {
    steps_ = std::move(steps);
    describe();
    update();
}

StepComparisonView::Strips StepComparisonView::strips() const {
    const double line = fontMetrics().height();
    const double high = (height() - 2 * line - 3 * gap) / 2;
    return {.divergence = QRectF(0, line + gap, width() - 1, high),
            .probability = QRectF(0, 2 * line + 3 * gap + high, width() - 1, high - gap)};
}

QRectF StepComparisonView::stepRect(int step) const {
    const auto [upper, lower] = strips();
    const double wide = std::min(widestBar, upper.width() / std::max<double>(1, double(steps_.size())));
    return {upper.left() + step * wide, upper.top(), wide, lower.bottom() - upper.top()};
}

std::optional<int> StepComparisonView::stepAt(QPoint position) const {
    for (int step = 0; step < static_cast<int>(steps_.size()); ++step)
        if (stepRect(step).contains(position))
            return step;
    return std::nullopt;
}

QString StepComparisonView::stepInWords(int step) const {
    const auto& compared = steps_.at(static_cast<std::size_t>(step));
    return tr("Step %1, %2: KL %3 nats; probability %4 before, %5 after%6")
        .arg(step + 1)
        .arg(quoted(tokenLabel(compared.token)), numberText(compared.divergence),
             numberText(std::exp(compared.before)), numberText(std::exp(compared.after)),
             compared.topChanged ? tr("; another token is the most probable one") : QString());
}

double StepComparisonView::largestDivergence() const {
    double largest = 0;
    for (const auto& step : steps_)
        if (std::isfinite(step.divergence))
            largest = std::max(largest, step.divergence);
    return largest;
}

void StepComparisonView::drawTitle(QPainter& painter, const QRectF& strip, const QString& title,
                                   const Theme& theme) const {
    const double line = fontMetrics().height();
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(strip.left(), strip.top() - line - gap, strip.width(), line), Qt::AlignLeft,
                     fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(strip.width())));
}

void StepComparisonView::drawDivergence(QPainter& painter, const QRectF& strip, const Theme& theme) const {
    const double largest = largestDivergence();
    drawTitle(painter, strip, tr("KL, up to %1 nats").arg(numberText(largest)), theme);
    for (int step = 0; step < static_cast<int>(steps_.size()); ++step) {
        const auto& compared = steps_[static_cast<std::size_t>(step)];
        const double share = !std::isfinite(compared.divergence) ? 1
                             : largest > 0                       ? compared.divergence / largest
                                                                 : 0;
        const QRectF place = stepRect(step);
        const double high = share * strip.height();
        painter.fillRect(QRectF(place.left() + 1, strip.bottom() - high, place.width() - 2, high),
                         theme.accent);
        // Not the height alone says that the model would have said something else.
        if (compared.topChanged) {
            painter.setPen(QPen(theme.text, 2));
            painter.drawLine(QPointF(place.left() + 1, strip.bottom() - high - 1),
                             QPointF(place.right() - 1, strip.bottom() - high - 1));
        }
    }
    painter.setPen(theme.line);
    painter.drawLine(strip.bottomLeft(), strip.bottomRight());
}

void StepComparisonView::drawProbability(QPainter& painter, const QRectF& strip, const Theme& theme) const {
    double largest = 0;
    for (const auto& step : steps_)
        largest = std::max(largest, std::abs(step.probabilityChange()));
    drawTitle(painter, strip, tr("Token's probability, up or down \u2264 %1").arg(numberText(largest)),
              theme);
    const double zero = strip.center().y();
    for (int step = 0; step < static_cast<int>(steps_.size()); ++step) {
        const double change = steps_[static_cast<std::size_t>(step)].probabilityChange();
        const QRectF place = stepRect(step);
        const double high = largest > 0 ? std::abs(change) / largest * strip.height() / 2 : 0;
        const QRectF bar(place.left() + 1, change > 0 ? zero - high : zero, place.width() - 2, high);
        painter.fillRect(bar, change > 0 ? theme.accent : theme.focus);
    }
    painter.setPen(theme.line);
    painter.drawLine(QPointF(strip.left(), zero), QPointF(strip.right(), zero));
}

void StepComparisonView::drawStepMark(QPainter& painter, const Theme& theme) const {
    const int step = selection_->step();
    if (step < 0 || step >= static_cast<int>(steps_.size()))
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.stepMark, 1));
    const QRectF place = stepRect(step);
    const auto [upper, lower] = strips();
    for (const QRectF& strip : {upper, lower})
        painter.drawRect(QRectF(place.left(), strip.top() - 2, place.width() - 1, strip.height() + 2));
}

void StepComparisonView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setFont(font());
    const auto [divergence, probability] = strips();
    drawDivergence(painter, divergence, theme);
    drawProbability(painter, probability, theme);
    drawStepMark(painter, theme);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

bool StepComparisonView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto step = stepAt(help->pos()))
        QToolTip::showText(help->globalPos(), plainToolTip(stepInWords(*step)), this,
                           stepRect(*step).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

void StepComparisonView::mousePressEvent(QMouseEvent* event) {
    const auto step = stepAt(event->position().toPoint());
    if (step && event->button() == Qt::LeftButton)
        selection_->setStep(*step);
    else
        event->ignore();
}

void StepComparisonView::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(steps_.size()) - 1;
    const int step = selection_->step();
    switch (event->key()) {
    case Qt::Key_Left:
        selection_->setStep(std::max(0, step - 1));
        break;
    case Qt::Key_Right:
        selection_->setStep(std::clamp(step + 1, 0, std::max(step, last)));
        break;
    default:
        event->ignore();
    }
}

void StepComparisonView::describe() {
    const int step = selection_->step();
    describeForReaders(this,
                       step >= 0 && step < static_cast<int>(steps_.size()) ? stepInWords(step) : QString());
}

} // namespace headscope::widgets
