#pragma once

#include <QString>

namespace headscope::widgets {

/// How layers and heads are counted: from 0 wherever they are numbered, and from 1 only in "layer 3 of 3".
QString countingInWords();

} // namespace headscope::widgets
