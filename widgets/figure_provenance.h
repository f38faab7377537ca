#pragma once

#include <QString>

#include "widgets/figure_export.h"

class QFont;

namespace headscope::widgets {

/// What stands below a picture: the same as its metadata, but for the end of a sentence that is long.
QString provenanceLine(const FigureText& text, const FigureFacts& facts);

/// With an end of line wherever a line of this width ends: between words, and within one only where it alone
/// is longer than a line.
QString brokenIntoLines(const QString& text, const QFont& font, double width);

} // namespace headscope::widgets
