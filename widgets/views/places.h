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

/// What the window shows together; one is seen at a time.
struct Workspace {
    std::string key;
    const char* title;    ///< marked for translation
    const char* question; ///< that it answers; marked for translation
    const char* shortcut; ///< beside that of its place in the rail; as that of ActionSpec
    const char* formerKeys;
    /// Its titles for such models; null: the same.
    const char* ofEncoder = nullptr;
    const char* ofClassifier = nullptr;

    const char* titleFor(const trace::ModelSummary& model) const;
};
/// Those that have views, in the order of the rail.
const std::vector<Workspace>& workspaces();

/// Where the window shows a view (widgets/views/places.def).
struct Place {
    enum class Region {
        Panel,
        Canvas,
        CanvasOfAll, ///< a canvas of all heads, chosen in the panel
        Inspector,
        Drawer,
        Headline, ///< above Cards
        Cards,    ///< all seen together, in rows
        Target,
        Training,
    };
    std::string key;
    const ViewSpec* spec;  ///< of the view; not null
    std::string workspace; ///< key of it; empty for regions that are in none
    Region region;
    std::string beside; ///< key of the view whose room it shares; empty: it has its own
    enum class Side { Right, Above };
    Side side = Side::Right; ///< of that view
    /// Of a card, in pixels, in a window of 1440x900: cards of a row share its width in this proportion.
    int width = 0;
    int height = 0;
};
/// Of the views that exist.
const std::vector<Place>& places();
/// The view that has taken the place of this one, which may have had one before; else itself.
std::string nowIn(const std::string& view);
/// Its first one; null if the view has no place.
const Place* placeOf(const std::string& key);

} // namespace headscope::widgets
