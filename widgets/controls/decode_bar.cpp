#include "widgets/controls/decode_bar.h"

#include "widgets/drawing/icons.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <initializer_list>
#include <utility>

namespace headscope::widgets {

DecodeBar::DecodeBar(QWidget* parent)
    : QWidget(parent), buttons_(new QHBoxLayout), position_(new QLabel(this)) {
    setAccessibleName(tr("Steps of decoding"));
    position_->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    setLayoutDirection(Qt::LeftToRight); // as steps run
    row->addLayout(buttons_);
    row->addWidget(position_);
    buttons_->setSpacing(0);
    setPosition(0, 0);
}

void DecodeBar::setActions(const DecodeActions& actions) {
    const std::initializer_list<std::pair<QAction*, const char*>> all{{actions.toStart, "first"},
                                                                      {actions.back, "previous"},
                                                                      {actions.forward, "next"},
                                                                      {actions.toEnd, "last"},
                                                                      {actions.stop, "stop"}};
    for (const auto& [action, picture] : all) {
        action->setIcon(icon(picture));
        action->setIconVisibleInMenu(false);
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(action->text().remove('&'));
        buttons_->addWidget(button);
        if (action != actions.back && action != actions.forward)
            rest_.push_back(button);
    }
    auto* runTo = new QToolButton(this); // with text, as it opens a popup and belongs to no direction
    runTo->setDefaultAction(actions.runTo);
    runTo->setToolButtonStyle(Qt::ToolButtonTextOnly);
    runTo->setAutoRaise(true);
    runTo->setFocusPolicy(Qt::TabFocus);
    runTo->setAccessibleName(actions.runTo->text().remove('&'));
    layout()->addWidget(runTo);
    rest_.push_back(runTo);
}

void DecodeBar::setBrief(bool brief) {
    brief_ = brief;
    showButtons();
}

void DecodeBar::setUnit(Unit unit) {
    unit_ = unit;
    setAccessibleName(unit == Unit::Mask    ? tr("Masks of the text")
                      : unit == Unit::Token ? tr("Labelled tokens of the text")
                                            : tr("Steps of decoding"));
    showButtons();
}

void DecodeBar::showButtons() {
    for (QWidget* each : rest_)
        each->setVisible(!brief_ && unit_ == Unit::Step);
    setPosition(step_, steps_);
}

void DecodeBar::setPosition(int step, int steps) {
    // Reserves the width of the longest text, so that nothing moves while stepping.
    step_ = step;
    steps_ = steps;
    const auto words = [this](int at, int of) {
        return (brief_                 ? tr("%1 / %2", "step 5 of 16")
                : unit_ == Unit::Mask  ? tr("mask %1 of %2")
                : unit_ == Unit::Token ? tr("token %1 of %2")
                                       : tr("step %1 of %2"))
            .arg(at)
            .arg(of);
    };
    position_->setMinimumWidth(position_->fontMetrics().horizontalAdvance(words(steps, steps)));
    position_->setText(words(steps > 0 ? step + 1 : 0, steps));
    position_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace headscope::widgets
