#pragma once

#include <QString>

#include "widgets/figure_source.h"
#include "widgets/selection.h"

namespace headscope::app {

/// What the file of a view is called, without its ending, in the words of `render`: the view, its page, what
/// is drawn of it and of what: "masks-cross.1", "heatmap-scores-cross.1.2", "candidates-step-4". No two views
/// have the same one, whatever they show.
QString fileNameOf(const widgets::FigureSource& figure, const widgets::Selection& selection);

} // namespace headscope::app
