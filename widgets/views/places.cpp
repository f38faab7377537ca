#include "widgets/views/places.h"

#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

const PlacedView* placedView(const std::string& key) {
    static const std::vector<PlacedView> all{
#define VIEW(folder)
#define TAB(folder) PlacedView{viewSpec(views::folder().key), &views::makers::folder},
#define PANEL(folder) PlacedView{viewSpec(views::folder().key), &views::makers::folder},
#define PART(folder) PlacedView{viewSpec(views::folder().key), &views::makers::folder},
#include "widgets/views/catalogue.def"
#undef VIEW
    };
    const auto found =
        std::ranges::find_if(all, [&](const PlacedView& view) { return view.spec->key == key; });
    return found == all.end() ? nullptr : &*found;
}

const std::vector<PlacedView>& tabs() {
    static const std::vector<PlacedView> all{
#define VIEW(folder)
#define TAB(folder) PlacedView{viewSpec(views::folder().key), &views::makers::folder},
#define PANEL(folder)
#define PART(folder)
#include "widgets/views/catalogue.def"
#undef VIEW
    };
    return all;
}

const std::vector<PlacedView>& panels() {
    static const std::vector<PlacedView> all{
#define VIEW(folder)
#define TAB(folder)
#define PANEL(folder) PlacedView{viewSpec(views::folder().key), &views::makers::folder},
#define PART(folder)
#include "widgets/views/catalogue.def"
#undef VIEW
    };
    return all;
}

} // namespace headscope::widgets
