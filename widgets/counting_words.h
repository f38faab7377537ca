#pragma once

#include <QString>

namespace headscope::widgets {

/// How things are counted: from 0 as in addresses, but steps and ranks from 1.
QString countingInWords();

} // namespace headscope::widgets
