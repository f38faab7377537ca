#pragma once

#include "app/choices/picture_options.h"
#include "widgets/figure_source.h"
#include "widgets/selection.h"

#include <optional>

namespace headscope::app {

/// The figure as a view of this class; null where it is another one.
template <class View>
const View* as(const widgets::FigureSource& figure) {
    return dynamic_cast<const View*>(&figure);
}

/// The view, its page and what is looked at in it, whether a command can say all that is seen or not; nothing
/// for what no command knows.
std::optional<PictureOptions> seenView(const widgets::FigureSource& figure,
                                       const widgets::Selection& selection);

/// For a film: the cell that is explained is that of each step, unless it is pinned.
void followSteps(PictureOptions& picture, const widgets::Selection& selection);

/// The options of `render` that draw what this view shows; nothing where no view of the command does, or what
/// is seen cannot be said in its options. Size, colours and font are not said. `chosen` in the views is said
/// where it is not as they open with.
std::optional<PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                           const widgets::Selection& selection, const Choices& chosen,
                                           const Choices& usual);

/// What is chosen in a view; nothing where it has no such choice.
std::optional<ChoiceValue> chosenValue(const Choices& choices, const std::string& view,
                                       const std::string& choice);
/// Makes the choices those that are seen; false where no command can say them.
bool sayChoices(PictureOptions& picture, const widgets::FigureSource& figure, const Choices& chosen);

/// Where branches of the run are listed or compared: the others, and which of them is shown, or B. False
/// where no command can say them.
bool sayBranches(PictureOptions& picture, const trace::Run& run);

} // namespace headscope::app
