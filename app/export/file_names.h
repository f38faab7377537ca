#pragma once

#include <QString>

#include "widgets/figure_source.h"
#include "widgets/selection.h"

namespace headscope::app {

/// Returns a file name for a view, without extension, in the terms of `render`: view, page, quantity, head
/// and step, such as "masks-cross.1", "heatmap-scores-cross.1.2", "candidates-step-4". Different views have
/// different names.
QString fileNameOf(const widgets::FigureSource& figure, const widgets::Selection& selection);

} // namespace headscope::app
