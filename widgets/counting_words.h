#pragma once

#include <QString>

namespace headscope::widgets {

/// How things are counted: from 0 as in addresses, but from 1 what is one of so many, and ranks.
QString countingInWords();

} // namespace headscope::widgets
