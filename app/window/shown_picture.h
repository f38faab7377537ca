#pragma once

#include "app/plain/picture_options.h"
#include "widgets/figure_source.h"
#include "widgets/selection.h"

#include <optional>

namespace headscope::app {

/// The options of `render` that draw what this view shows; nothing where no view of the command does, or what
/// is seen cannot be said in its options. Size, colours and font are not said.
std::optional<PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                           const widgets::Selection& selection);

} // namespace headscope::app
