#pragma once

#include <QString>

#include "model/trace/run.h"

#include <vector>

namespace headscope::widgets {

// What FigureText::head is of more than one head.

/// "cross.2.5, cross.2.6", each once.
QString listedHeads(const std::vector<trace::HeadAddress>& heads);
/// Those that a change is of, such as one that is switched off.
QString listedHeads(const std::vector<trace::Change>& changes);

} // namespace headscope::widgets
