#pragma once

#include <QString>

#include "widgets/export/figure_export.h"

namespace headscope::widgets {

/// Returns the source line below a picture: like its metadata, but with long sentences truncated.
QString provenanceLine(const FigureText& text, const FigureFacts& facts);

} // namespace headscope::widgets
