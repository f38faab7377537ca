#pragma once

#include <QString>

#include "model/analysis/compare/run_comparison.h"

#include <vector>

class QColor;
class QFont;
class QPainter;
class QRectF;

namespace headscope::widgets {

struct Theme;

/// A word of a text, with the space before it.
struct OutlinedWord {
    QString text;
    bool changed = false; ///< differs from another text: outlined and bold
};

/// The words of one text, without special tokens.
std::vector<OutlinedWord> wordsOf(const std::vector<trace::Token>& tokens,
                                  const std::vector<analysis::OutputWord>& words);
/// All of them as one text.
QString joinedWords(const std::vector<OutlinedWord>& words);

/// Draws words from the left of `area` on, in at most as many lines as have room there; the last one ends in
/// an ellipsis if not all words fit.
void drawOutlinedWords(QPainter& painter, const QRectF& area, const std::vector<OutlinedWord>& words,
                       const QFont& font, const QColor& ink, const Theme& theme);
/// The height of a line of them.
double outlinedLine(const QFont& font);

} // namespace headscope::widgets
