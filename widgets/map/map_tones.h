#pragma once

#include "model/trace/matrix.h"
#include "widgets/map/map_options.h"
#include "widgets/map/shown_map.h"

#include <optional>

namespace headscope::widgets {

/// Values of a map as coloured, after the chosen mapping.
struct MapTones {
    trace::Matrix values; ///< [rows, columns]; empty: the values of the map
    double limit = 1;     ///< largest magnitude on the scale
    bool diverging = false;
    ColourMapping mapping = ColourMapping::Linear;
    /// Median over the queries of their largest weight; nothing if not computed.
    std::optional<double> usualLargest;

    ColourScale scale(bool dark) const;
};

/// Linear and logarithmic colours end at 1 for weights, otherwise at the largest value. Linear colours of the
/// often small weights of an encoder end at the next round number. Per row, colours end at the largest value
/// of the row. Ranks are the fraction of smaller allowed cells (of the row or the map); signed values are
/// ranked by magnitude and keep their sign. Signed values are never logarithmic.
MapTones mapTones(const ShownMap& shown, const MapOptions& options);

/// Returns the end of the linear colour scale for the weights of a head.
double limitOfWeights(trace::AttentionKind kind, std::size_t queries, double largest);
/// True if limitOfWeights() may be below 1.
bool endsAtLargest(trace::AttentionKind kind, std::size_t queries);

/// Returns an explanation of the colours for the end of a caption; may be empty.
QString tonesInWords(const MapOptions& options, const MapTones& tones);

} // namespace headscope::widgets
