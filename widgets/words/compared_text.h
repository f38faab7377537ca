#pragma once

#include <QString>

#include "model/analysis/compare/run_comparison.h"

namespace headscope::widgets {

/// Returns an output as rich text: words missing from the other output are bold and struck through or
/// underlined. The text of tokens is escaped.
enum class WordMark { StruckThrough, Underlined };
QString comparedText(const std::vector<trace::Token>& tokens, const std::vector<analysis::OutputWord>& words,
                     WordMark mark);

} // namespace headscope::widgets
