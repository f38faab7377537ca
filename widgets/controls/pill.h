#pragma once

#include <QString>

class QColor;

namespace headscope::widgets {

/// Style sheet of a label or tool button that shows a state: rounded, its text and outline in `ink`.
QString pillStyle(const QColor& ink, const QColor& ground);

} // namespace headscope::widgets
