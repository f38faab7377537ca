#pragma once

#include "app/choices/picture_options.h"
#include "widgets/figure_source.h"
#include "widgets/selection.h"

#include <optional>

namespace headscope::app {

/// The view, its page and what is looked at in it, whether a command can say all that is seen or not; nothing
/// for what no command knows.
std::optional<widgets::PictureOptions> seenView(const widgets::FigureSource& figure,
                                                const widgets::Selection& selection);

/// For a film: the cell that is explained is that of each step, unless it is pinned.
void followSteps(widgets::PictureOptions& picture, const widgets::Selection& selection);

/// The options of `render` that draw what this view shows; nothing where no view of the command does, or what
/// is seen cannot be said in its options. Size, colours and font are not said. `chosen` in the views is said
/// where it is not as they open with.
std::optional<widgets::PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                                    const widgets::Selection& selection,
                                                    const widgets::Choices& chosen,
                                                    const widgets::Choices& usual);

/// Where branches of the run are listed or compared: the others, and which of them is shown, or B. False
/// where no command can say them.
bool exportBranches(widgets::PictureOptions& picture, const trace::Run& run);

} // namespace headscope::app
