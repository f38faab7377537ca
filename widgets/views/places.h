#pragma once

#include "widgets/view.h"
#include "widgets/view_spec.h"

#include <string>
#include <vector>

namespace headscope::widgets {

class Selection;

/// A function a view that the window makes, in its folder. The selection outlives the view.
namespace views::makers {

#define VIEW(folder)
#define TAB(folder) View* folder(Selection* selection, QWidget* parent);
#define PANEL(folder) View* folder(Selection* selection, QWidget* parent);
#define PART(folder) View* folder(Selection* selection, QWidget* parent);
#include "widgets/views/catalogue.def"
#undef VIEW

} // namespace views::makers

struct PlacedView {
    const ViewSpec* spec;
    View* (*make)(Selection* selection, QWidget* parent);
};

/// Null where there is no such view, or whoever shows it makes it.
const PlacedView* placedView(const std::string& key);
/// The window's tabs, from the left.
const std::vector<PlacedView>& tabs();
/// Views that the window shows in a panel and `render` on a page, with nothing said of them elsewhere, in the
/// order in which they are listed.
const std::vector<PlacedView>& panels();

} // namespace headscope::widgets
