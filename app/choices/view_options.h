#pragma once

#include <string>
#include <vector>

namespace headscope::app {

/// An option of `render` without which some views are the same as with it.
struct ViewOption {
    const char* option;
    std::vector<const char*> views; ///< that use it
};

/// Options that not all views use; which pages and choices a view has is told by pictureViews. What is looked
/// at, as `--step`, and how spaces are marked counts as used wherever a copied command says it, also
/// of views in which it is not seen.
const std::vector<ViewOption>& viewOptions();

/// True for an option that all views use, too.
bool isUsed(const std::string& option, const std::string& view);

} // namespace headscope::app
