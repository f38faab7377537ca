#pragma once

#include <QString>

#include "widgets/export/figure_export.h"

namespace headscope::widgets {

/// What stands below a picture: the same as its metadata, but for the end of a sentence that is long.
QString provenanceLine(const FigureText& text, const FigureFacts& facts);

} // namespace headscope::widgets
