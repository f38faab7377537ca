#pragma once

#include <QIcon>

#include <string>

namespace headscope::widgets {

/// A picture of icons.def in the colour of the text of buttons, sharp at every size. Null if it has none of
/// this name.
QIcon icon(const std::string& name);

} // namespace headscope::widgets
