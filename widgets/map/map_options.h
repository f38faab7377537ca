#pragma once

#include "widgets/drawing/colour_scale.h"
#include "widgets/words/quantity.h"

namespace headscope::widgets {

/// What a heatmap shows and how.
struct MapOptions {
    Quantity quantity = Quantity::Weights;
    ColourMapping mapping = ColourMapping::Linear;
    bool colourPerRow = false;   ///< each row up to its own largest value
    bool withoutSpecial = false; ///< keys; what is a share of a row is shared out again
    bool words = false;          ///< instead of pieces; never of scores
    bool transposed = false;     ///< keys down the side
    bool numbers = false;        ///< in the cells, where they fit
    bool received = false;       ///< bars: what each key receives in all
    bool losses = false;         ///< bars: what the step loses without each source token
    friend bool operator==(const MapOptions&, const MapOptions&) = default;
};

struct PictureOptions;

/// "norm-weighted", as `render` and files call it.
QString quantityKey(Quantity quantity);
/// In the words of `render`, and back.
MapOptions mapOptionsOf(const PictureOptions& options);
void setMapOptions(PictureOptions& options, const MapOptions& map);

} // namespace headscope::widgets
