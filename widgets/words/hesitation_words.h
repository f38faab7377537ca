#pragma once

#include "model/analysis/output/hesitation.h"

#include <QString>

namespace headscope::widgets {

/// "75.1 %"; what is above 0 and below 0.1 % as "< 0.1 %".
QString percentText(double share);

/// "“wer” was chosen with 75.1 %, second “we” with 9.8 %". Where another was more probable, as a beam or a
/// sample may leave one, it says so. Empty where nothing is known.
QString hesitationInWords(const trace::Token& token, const analysis::Hesitation& hesitation);

} // namespace headscope::widgets
