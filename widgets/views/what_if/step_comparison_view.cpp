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
    setLayoutDirection(Qt::LeftToRight); // as steps run
    setAccessibleName(tr("Change at every step"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(selection_, &Selection::stepChanged, this, [this] {
        describe();
        update();
    });
}

void StepComparisonView::setSteps(std::vector<analysis::StepComparison> steps, analysis::Compared compared) {
    steps_ = std::move(steps);
    compared_ = compared;
    setAccessibleName(areSteps()                                ? tr("Change at every step")
                      : compared == analysis::Compared::Masks   ? tr("Change at every mask")
                      : compared == analysis::Compared::Answer  ? tr("Change of the answer")
                      : compared == analysis::Compared::Numbers ? tr("Change of every number")
                      : compared == analysis::Compared::Labels  ? tr("Change at every token")
                                                                : tr("Change of every class"));
    describe();
    update();
}

StepBars StepComparisonView::bars() const {
    return {.steps = steps_, .compared = compared_, .area = QRectF(rect()), .font = font()};
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
    const auto& contrast = compared.contrast;
    const auto number = [&](double value) { return numberText(contrast ? value : std::exp(value)); };
    if (compared_ == analysis::Compared::Numbers)
        return tr("%1: %2 before, %3 after")
            .arg(nameOf(step), numberText(compared.before), numberText(compared.after));
    const QString what = contrast ? tr("log-probability compared with %1").arg(quoted(tokenLabel(*contrast)))
                                  : tr("probability");
    const QString change =
        tr("%1 %2 before, %3 after").arg(what, number(compared.before), number(compared.after));
    if (compared_ == analysis::Compared::Classes)
        return tr("%1: %2").arg(nameOf(step), change);
    return tr("%1: KL %2 nats; %3%4")
        .arg(nameOf(step), numberText(compared.divergence), change,
             !compared.topChanged                      ? QString()
             : compared_ == analysis::Compared::Labels ? tr("; another label is the most probable one")
                                                       : tr("; another token is the most probable one"));
}

QString StepComparisonView::nameOf(int step) const {
    const QString token = quoted(tokenLabel(steps_.at(static_cast<std::size_t>(step)).token));
    const QString number = QString::number(step + 1);
    return areSteps()                                 ? tr("Step %1, %2").arg(number, token)
           : compared_ == analysis::Compared::Masks   ? tr("Mask %1, %2").arg(number, token)
           : compared_ == analysis::Compared::Numbers ? tr("Number %1").arg(token)
           : compared_ == analysis::Compared::Answer  ? (step == 0 ? tr("Start %1") : tr("End %1")).arg(token)
           : compared_ == analysis::Compared::Labels  ? tr("Token %1, label %2").arg(number, token)
                                                      : tr("Class %1").arg(token);
}

void StepComparisonView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    bars().draw(painter, theme);
    if (const int step = selection_->step();
        areSteps() && step >= 0 && step < static_cast<int>(steps_.size()))
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
    if (step && areSteps() && event->button() == Qt::LeftButton)
        selection_->setStep(*step);
    else
        event->ignore();
}

void StepComparisonView::keyPressEvent(QKeyEvent* event) {
    if (!areSteps())
        return event->ignore();
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
    QStringList words;
    for (int i = 0; i < static_cast<int>(steps_.size()); ++i)
        if (!areSteps() || i == step)
            words += stepInWords(i);
    describeForReaders(this, words.join(QStringLiteral(". ")));
}

} // namespace headscope::widgets
