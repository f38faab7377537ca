#pragma once

#include <QString>

#include "model/trace/attention_site.h"

namespace headscope::widgets {

/// How things are counted: from 0 as in addresses, but from 1 what is one of so many, and ranks.
QString countingInWords();

/// "35 %", never more than is done.
QString shareInWords(double share);

/// "cross.2.5"
QString address(const trace::HeadAddress& head);

} // namespace headscope::widgets
