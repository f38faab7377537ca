#pragma once

#include "widgets/drawing/colour_scale.h"
#include "widgets/words/quantity.h"

namespace headscope::widgets {

/// Options of a heatmap.
struct MapOptions {
    Quantity quantity = Quantity::Weights;
    ColourMapping mapping = ColourMapping::Linear;
#define MAP_FLAG(MEMBER, ...) bool MEMBER = false;
#include "widgets/map_flags.def"
#undef MAP_FLAG
    friend bool operator==(const MapOptions&, const MapOptions&) = default;
};

struct DocumentState;

/// The name in `render` and in files, such as "norm-weighted".
QString quantityKey(Quantity quantity);
/// The options among the choices of the document (sharedChoices()).
MapOptions mapOptionsOf(const DocumentState& document);

} // namespace headscope::widgets
