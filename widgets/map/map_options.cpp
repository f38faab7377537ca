#include "widgets/map/map_options.h"

#include "widgets/picture_options.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

/// Of a name in a list; 0 for one that is not there.
std::size_t placeOf(const std::vector<const char*>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? 0 : found - names.begin();
}

} // namespace

QString quantityKey(Quantity quantity) {
    const auto place = std::ranges::find(allQuantities, quantity) - allQuantities.begin();
    return QString::fromLatin1(quantityNames().at(place));
}

MapOptions mapOptionsOf(const PictureOptions& options) {
    MapOptions map{.quantity = allQuantities.at(placeOf(quantityNames(), options.quantity)),
                   .mapping = static_cast<ColourMapping>(placeOf(scaleNames(), options.scale))};
#define MAP_FLAG(MEMBER, ...) map.MEMBER = options.MEMBER;
#include "widgets/map_flags.def"
#undef MAP_FLAG
    return map;
}

void setMapOptions(PictureOptions& options, const MapOptions& map) {
    options.quantity = quantityKey(map.quantity).toStdString();
    options.scale = scaleNames().at(static_cast<std::size_t>(map.mapping));
#define MAP_FLAG(MEMBER, ...) options.MEMBER = map.MEMBER;
#include "widgets/map_flags.def"
#undef MAP_FLAG
}

} // namespace headscope::widgets
