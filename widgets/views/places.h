#pragma once

#include "widgets/view.h"
#include "widgets/view_spec.h"

#include <string>
#include <vector>

namespace headscope::widgets {

class Selection;

/// A function a view, in its folder. The selection outlives the view.
namespace views::makers {

#define VIEW(folder) View* folder(Selection* selection, QWidget* parent);
#include "widgets/views/catalogue.def"
#undef VIEW

} // namespace views::makers

using ViewMaker = View* (*)(Selection* selection, QWidget* parent);
/// Null where there is no such view.
ViewMaker makerOf(const std::string& key);

/// Where the window shows a view (widgets/views/places.def).
struct Place {
    enum class Region {
        Tab,
        WideTab, ///< panels at the sides make room for it
        Target,
        Training,
        Left, ///< panels from here on
        Right,
        Bottom,
    };
    std::string key;
    const ViewSpec* spec; ///< of the view; not null
    Region region;
    int leastHeight; ///< in pixels, of a panel that is opened; the height of one that is open from the start
    std::string beside; ///< key of the view whose panel it shares; empty: it has its own
    bool isOpen;        ///< from the start
    std::string panel;  ///< name of the panel in sessions and settings
};
/// Of the views that exist.
const std::vector<Place>& places();
/// Null if the view has no place.
const Place* placeOf(const std::string& key);

} // namespace headscope::widgets
