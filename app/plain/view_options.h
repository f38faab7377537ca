#pragma once

#include <string>
#include <vector>

namespace headscope::app {

/// An option of `render` without which some views are the same as with it.
struct ViewOption {
    const char* option;
    std::vector<const char*> views; ///< that use it
};

/// Every option that not all views use, but for pages and choices, which are told by view (pictureViews).
/// What is looked at counts as used wherever a copied command says it, whether it is seen or not.
const std::vector<ViewOption>& viewOptions();

/// True for an option that all views use, too.
bool isUsed(const std::string& option, const std::string& view);

} // namespace headscope::app
