#pragma once

#include "model/analysis/output/hesitation.h"

#include <QString>

namespace headscope::widgets {

/// "75.1 %"; "< 0.1 %" for values above 0 and below 0.1 %.
QString percentText(double share);

/// "“wer” was chosen with 75.1 %, second “we” with 9.8 %". Says so if another token was more probable, as in
/// a beam or a sample. Empty if nothing is known.
QString hesitationInWords(const analysis::Hesitation& hesitation);

} // namespace headscope::widgets
