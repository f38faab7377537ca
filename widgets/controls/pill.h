#pragma once

#include <QColor>
#include <QString>

namespace headscope::widgets {

/// Style sheet of a label or tool button that shows a state: rounded, its text in `ink`, and its outline,
/// too, if it has no colour of its own.
QString pillStyle(const QColor& ink, const QColor& ground, const QColor& line = {});

} // namespace headscope::widgets
