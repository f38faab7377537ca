#include "widgets/controls/decode_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace headscope::widgets {

DecodeBar::DecodeBar(QWidget* parent)
    : QWidget(parent), buttons_(new QHBoxLayout), position_(new QLabel(this)) {
    setAccessibleName(tr("Steps of decoding"));
    position_->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(buttons_);
    row->addWidget(position_);
    buttons_->setSpacing(0);
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
    auto* runTo = new QToolButton(this); // with text, as it opens a popup and belongs to no direction
    runTo->setDefaultAction(actions.runTo);
    runTo->setToolButtonStyle(Qt::ToolButtonTextOnly);
    runTo->setFocusPolicy(Qt::TabFocus);
    runTo->setAccessibleName(actions.runTo->text().remove('&'));
    layout()->addWidget(runTo);
}

void DecodeBar::setPosition(int step, int steps) {
    // Reserves the width of the longest text, so that nothing moves while stepping.
    const auto words = [](int at, int of) { return tr("step %1 of %2").arg(at).arg(of); };
    position_->setMinimumWidth(position_->fontMetrics().horizontalAdvance(words(steps, steps)));
    position_->setText(words(steps > 0 ? step + 1 : 0, steps));
    position_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace headscope::widgets
