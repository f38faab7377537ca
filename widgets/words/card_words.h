#pragma once

#include <QString>

#include "model/trace/intervention.h"
#include "model/trace/token.h"

namespace headscope::widgets {

// Few digits and letters, for cards that show many of them beside each other.

/// "75.1 %"; "<0.1 %" for less that is not 0.
QString shareText(double probability);
/// "2.42", and a real minus sign.
QString shortNumberText(double value);
/// "+2.42"; "0" where that is what remains.
QString shortSignedText(double value);
/// "11", "1.4", "0.09": how many times.
QString timesText(double times);
/// "self", "cross", "ff"
QString shortSublayer(trace::SublayerKind kind);
/// A token without its space mark; a lone mark as it is.
QString plainToken(const trace::Token& token);

} // namespace headscope::widgets
