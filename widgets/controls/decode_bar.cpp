#include "widgets/controls/decode_bar.h"

#include "widgets/words/hint_for_no_run.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace headscope::widgets {

DecodeBar::DecodeBar(QWidget* parent)
    : QWidget(parent), buttons_(new QHBoxLayout), slider_(new QSlider(Qt::Horizontal, this)),
      position_(new QLabel(this)) {
    setAccessibleName(tr("Steps of decoding"));
    slider_->setAccessibleName(tr("Step"));
    slider_->setPageStep(5);
    slider_->setMinimumWidth(80);
    position_->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(buttons_);
    row->addWidget(slider_, 1);
    row->addWidget(position_);
    buttons_->setSpacing(0);
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        setPosition(value, steps_);
        Q_EMIT stepRequested(value);
    });
    setPosition(0, 0);
}

void DecodeBar::setActions(const DecodeActions& actions) {
    // Symbols have the same width in every language; menu and tooltip have the words.
    actions.toStart->setIconText(QStringLiteral("|\u25C2"));
    actions.back->setIconText(QStringLiteral("\u25C2"));
    actions.forward->setIconText(QStringLiteral("\u25B8"));
    actions.toEnd->setIconText(QStringLiteral("\u25B8|"));
    for (QAction* action : {actions.toStart, actions.back, actions.forward, actions.toEnd, actions.stop}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(action->text().remove('&'));
        buttons_->addWidget(button);
    }
    // Behind the slider and with text, as they open popups and belong to no direction.
    for (QAction* action : {actions.runTo, actions.options})
        if (action) {
            auto* button = new QToolButton(this);
            button->setDefaultAction(action);
            button->setToolButtonStyle(Qt::ToolButtonTextOnly);
            button->setFocusPolicy(Qt::TabFocus);
            button->setAccessibleName(action->text().remove('&'));
            layout()->addWidget(button);
        }
}

int DecodeBar::step() const {
    return slider_->value();
}

int DecodeBar::steps() const {
    return steps_;
}

void DecodeBar::setPosition(int step, int steps) {
    const QSignalBlocker quiet(slider_);
    steps_ = std::max(0, steps);
    slider_->setRange(0, std::max(0, steps_ - 1));
    slider_->setValue(step);
    slider_->setEnabled(steps_ > 0);
    slider_->setToolTip(steps_ > 0 ? tr("Step of decoding")
                                   : tr("Nothing is decoded yet. %1").arg(hintForNoRun(*this)));
    // Reserves the width of the longest text, so that the slider does not move while stepping.
    const QString widest = tr("%1/%2", "step of steps").arg(steps_).arg(steps_);
    position_->setMinimumWidth(position_->fontMetrics().horizontalAdvance(widest));
    position_->setText(tr("%1/%2", "step of steps").arg(steps_ > 0 ? slider_->value() + 1 : 0).arg(steps_));
    position_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace headscope::widgets
