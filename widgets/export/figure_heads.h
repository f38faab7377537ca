#pragma once

#include <QString>

#include "model/trace/run.h"

#include <vector>

namespace headscope::widgets {

// Texts of FigureText::head for several heads.

/// Returns the heads without duplicates, such as "cross.2.5, cross.2.6".
QString listedHeads(const std::vector<trace::HeadAddress>& heads);
/// Heads that the changes affect, such as one that is switched off.
QString listedHeads(const std::vector<trace::Change>& changes);

} // namespace headscope::widgets
