#pragma once

#include <QString>

namespace headscope::widgets {

/// A number as a person reads it, with a real minus. In a window that runs from right to left it is isolated,
/// because a sign or a per cent would change sides there.
QString shownNumber(QString number);

} // namespace headscope::widgets
