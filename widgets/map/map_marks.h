#pragma once

#include "widgets/map/map_picture.h"

#include <optional>

namespace headscope::widgets {

/// What is lit up or marked on a map.
struct MapMarks {
    std::optional<int> stepRow;    ///< the row of the current decoding step
    std::optional<int> stepColumn; ///< its column, where the map is turned
    std::optional<int> row;        ///< of the pointer or what is pinned
    std::optional<int> column;
};

/// Lights a row and a column, with their labels, and marks the row or column of the current step.
void drawMapMarks(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                  const MapMarks& marks, const TokenLabelStyle& style, const Theme& theme);

} // namespace headscope::widgets
