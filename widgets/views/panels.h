#pragma once

#include "widgets/view.h"
#include "widgets/view_spec.h"

#include <vector>

namespace headscope::widgets {

class Selection;

/// A function a panel's view, in its folder. The selection outlives the view.
namespace views::makers {

#define VIEW(folder)
#define PANEL(folder) View* folder(Selection* selection, QWidget* parent);
#include "widgets/views/catalogue.def"
#undef VIEW

} // namespace views::makers

/// A view that the window shows in a panel and `render` on a page, with nothing said of it elsewhere.
struct Panel {
    const ViewSpec* spec;
    View* (*make)(Selection* selection, QWidget* parent);
};

/// In the order in which they are listed.
const std::vector<Panel>& panels();

} // namespace headscope::widgets
