#include "widgets/controls/pill.h"

#include <QColor>

namespace headscope::widgets {

QString pillStyle(const QColor& ink, const QColor& ground, const QColor& line) {
    return QStringLiteral(
               "QToolButton, QLabel { color: %1; background: %2; border: 1px solid %3; "
               "border-radius: 9px; padding: 2px 8px; min-height: 18px; } "
               "QToolButton:focus { border: 2px solid %1; padding: 1px 7px; } QToolTip { border: none; }")
        .arg(ink.name(), ground.name(), (line.isValid() ? line : ink).name());
}

} // namespace headscope::widgets
