#pragma once

#include <string>
#include <vector>

namespace headscope::app {

/// An option of `render` that has no effect on some views.
struct ViewOption {
    const char* option;
    std::vector<const char*> views; ///< views that use the option
};

/// Options that not all views use; the pages and choices of a view are in its widgets::ViewSpec. Options for
/// the selection, such as `--step`, and for space marks count as used wherever a copied command contains
/// them, even if the view does not show their effect.
const std::vector<ViewOption>& viewOptions();

/// Also true for options that all views use.
bool isUsed(const std::string& option, const std::string& view);

} // namespace headscope::app
