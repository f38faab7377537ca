#pragma once

#include "app/choices/picture_options.h"
#include "widgets/figure_source.h"
#include "widgets/selection.h"

#include <QString>

#include <optional>

namespace headscope::app {

/// Returns the view, its page and the selection in it, even if no command can express all of it; empty for
/// views that the command does not know.
std::optional<widgets::PictureOptions> seenView(const widgets::FigureSource& figure,
                                                const widgets::Selection& selection);

/// Returns a file name for a view, without extension, in the terms of `render`: view, page, quantity, head
/// and step, such as "masks-cross.1", "heatmap-scores-cross.1.2", "candidates-step-4". Different views have
/// different names.
QString fileNameOf(const widgets::FigureSource& figure, const widgets::Selection& selection);

/// For an animation: the explained cell follows the steps, unless it is pinned.
void followSteps(widgets::PictureOptions& picture, const widgets::Selection& selection);

/// Returns the options of `render` that draw what this view shows; empty if no view of the command does or no
/// option can express it. Size, colours and font are not included. Choices in `chosen` are included if they
/// differ from `usual`, those of a new window.
std::optional<widgets::PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                                    const widgets::Selection& selection,
                                                    const widgets::Choices& chosen,
                                                    const widgets::Choices& usual);

/// A sentence, with a leading space, if a part of the view is magnified; its command draws the whole.
QString withoutZoomInWords(const widgets::FigureSource& figure);

/// Adds the other branches of the run to views that compare branches, and which one is B.
void exportBranches(widgets::PictureOptions& picture, const trace::Run& run);

} // namespace headscope::app
