#include "widgets/controls/help_button.h"

#include "widgets/drawing/icons.h"
#include "widgets/words/plain_text.h"

#include <QToolTip>

namespace headscope::widgets {

HelpButton::HelpButton(QWidget* parent) : QToolButton(parent) {
    setIcon(widgets::icon("help"));
    setAutoRaise(true);
    setAccessibleName(tr("Help for this card"));
    connect(this, &QToolButton::clicked, this,
            [this] { QToolTip::showText(mapToGlobal(rect().bottomLeft()), toolTip(), this); });
}

void HelpButton::setWords(const QString& words) {
    setPlainToolTip(this, words);
    setVisible(!words.isEmpty());
    setAccessibleDescription(words);
}

} // namespace headscope::widgets
