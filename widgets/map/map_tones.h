#pragma once

#include "model/trace/matrix.h"
#include "widgets/map/map_options.h"
#include "widgets/map/shown_map.h"

#include <optional>

namespace headscope::widgets {

/// What a map's colours stand for: its values, or what a person wants to see of them.
struct MapTones {
    trace::Matrix values; ///< [rows, columns] as the map, on the scale; empty: they are the map's own
    double limit = 1;     ///< largest magnitude on the scale
    bool diverging = false;
    ColourMapping mapping = ColourMapping::Linear;
    /// Half of the queries have no weight above it; nothing where that was not asked.
    std::optional<double> usualLargest;

    ColourScale scale(bool dark) const;
};

/// Linear and logarithmic colours are those of the values, up to 1 for weights and else to the largest;
/// linear ones of an encoder's weights, which may be a hundredth each, only up to the next round number. Per
/// row up to each row's largest. Ranks: the part of the open cells (of the row, or of the map) that are
/// smaller; with their sign where it means something, then by magnitude. What has a sign is never
/// logarithmic.
MapTones mapTones(const ShownMap& shown, const MapOptions& options);

/// The end of the linear colours of a head's weights, of which `largest` is the largest.
double limitOfWeights(trace::AttentionKind kind, std::size_t queries, double largest);
/// Whether it may be below 1.
bool endsAtLargest(trace::AttentionKind kind, std::size_t queries);

/// What the colours say beyond the legend, to follow a caption; may be empty.
QString tonesInWords(const MapOptions& options, const MapTones& tones);

} // namespace headscope::widgets
