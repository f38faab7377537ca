#pragma once

#include <QString>

#include "model/trace/attention_site.h"

namespace headscope::widgets {

/// Explains what counts from 0, as in addresses, and what from 1.
QString countingInWords();

/// "35 %", rounded down.
QString shareInWords(double share);

/// "cross.2.5"
QString address(const trace::HeadAddress& head);

} // namespace headscope::widgets
