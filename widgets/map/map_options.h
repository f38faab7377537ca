#pragma once

#include "widgets/drawing/colour_scale.h"
#include "widgets/words/quantity.h"

namespace headscope::widgets {

/// What a heatmap shows and how.
struct MapOptions {
    Quantity quantity = Quantity::Weights;
    ColourMapping mapping = ColourMapping::Linear;
#define MAP_FLAG(MEMBER, ...) bool MEMBER = false;
#include "widgets/map_flags.def"
#undef MAP_FLAG
    friend bool operator==(const MapOptions&, const MapOptions&) = default;
};

struct PictureOptions;

/// "norm-weighted", as `render` and files call it.
QString quantityKey(Quantity quantity);
/// In the words of `render`, and back.
MapOptions mapOptionsOf(const PictureOptions& options);
void setMapOptions(PictureOptions& options, const MapOptions& map);

} // namespace headscope::widgets
