#include "widgets/views/what_if/step_comparison_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

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

StepBars StepComparisonView::bars() const {
    return {.steps = steps_, .area = QRectF(rect()), .font = font()};
}

QRectF StepComparisonView::stepRect(int step) const {
    return bars().stepRect(step);
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

void StepComparisonView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    bars().draw(painter, theme);
    if (const int step = selection_->step(); step >= 0 && step < static_cast<int>(steps_.size()))
        bars().drawMark(painter, step, theme);
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
