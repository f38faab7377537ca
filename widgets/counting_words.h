#pragma once

#include <QString>

namespace headscope::widgets {

/// That layers and heads count from 1 in sentences and from 0 in addresses, for tooltips of either.
QString countingInWords();

} // namespace headscope::widgets
