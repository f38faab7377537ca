#pragma once

#include "model/trace/run.h"

#include <QString>

namespace headscope::widgets {

/// "Most probable answer: “in Paris” (68.2 %)"; says so if there is none.
QString answerInWords(const trace::Run& run);

/// "Predicted: 3.204", with the name of each number if there are several.
QString numbersInWords(const trace::Run& run);

} // namespace headscope::widgets
