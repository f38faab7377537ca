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

struct DocumentState;

/// "norm-weighted", as `render` and files call it.
QString quantityKey(Quantity quantity);
/// Those that the document keeps, as `sharedChoices()`.
MapOptions mapOptionsOf(const DocumentState& document);

} // namespace headscope::widgets
