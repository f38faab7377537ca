#include "widgets/map/map_options.h"

#include "widgets/picture_options.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

/// Of a name in a list; 0 for one that is not there.
std::size_t placeOf(const std::vector<const char*>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin());
}

} // namespace

QString quantityKey(Quantity quantity) {
    const auto place = std::ranges::find(allQuantities, quantity) - allQuantities.begin();
    return QString::fromLatin1(quantityNames().at(static_cast<std::size_t>(place)));
}

MapOptions mapOptionsOf(const PictureOptions& options) {
    return {.quantity = allQuantities.at(placeOf(quantityNames(), options.quantity)),
            .mapping = static_cast<ColourMapping>(placeOf(scaleNames(), options.scale)),
            .colourPerRow = options.perRow,
            .withoutSpecial = options.withoutSpecial,
            .words = options.words,
            .transposed = options.transposed,
            .numbers = options.numbers,
            .received = options.received,
            .losses = options.losses};
}

void setMapOptions(PictureOptions& options, const MapOptions& map) {
    options.quantity = quantityKey(map.quantity).toStdString();
    options.scale = scaleNames().at(static_cast<std::size_t>(map.mapping));
    options.perRow = map.colourPerRow;
    options.withoutSpecial = map.withoutSpecial;
    options.words = map.words;
    options.transposed = map.transposed;
    options.numbers = map.numbers;
    options.received = map.received;
    options.losses = map.losses;
}

} // namespace headscope::widgets
