#pragma once

#include <QString>

#include "model/analysis/compare/run_comparison.h"

namespace headscope::widgets {

/// An output as rich text: words that the other output lacks are marked, struck through or underlined, and
/// bold. What the tokens hold is escaped.
enum class WordMark { StruckThrough, Underlined };
QString comparedText(const std::vector<trace::Token>& tokens, const std::vector<analysis::OutputWord>& words,
                     WordMark mark);

} // namespace headscope::widgets
