#include "widgets/controls/pill.h"

#include <QColor>

namespace headscope::widgets {

QString pillStyle(const QColor& ink, const QColor& ground) {
    return QStringLiteral(
               "QToolButton, QLabel { color: %1; background: %2; border: 1px solid %1; "
               "border-radius: 8px; padding: 2px 8px; min-height: 18px; } "
               "QToolButton:focus { border-width: 2px; padding: 1px 7px; } QToolTip { border: none; }")
        .arg(ink.name(), ground.name());
}

} // namespace headscope::widgets
