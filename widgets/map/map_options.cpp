#include "widgets/map/map_options.h"

#include "widgets/view_context.h"

#include <algorithm>

namespace headscope::widgets {

QString quantityKey(Quantity quantity) {
    const auto place = std::ranges::find(allQuantities, quantity) - allQuantities.begin();
    return QString::fromLatin1(quantityNames().at(place));
}

MapOptions mapOptionsOf(const DocumentState& document) {
    MapOptions map{.quantity = static_cast<Quantity>(chosenWord(document, "map", "quantity")),
                   .mapping = static_cast<ColourMapping>(chosenWord(document, "map", "scale"))};
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) map.MEMBER = chosenFlag(document, "map", NAME);
#include "widgets/map_flags.def"
#undef MAP_FLAG
    return map;
}

} // namespace headscope::widgets
