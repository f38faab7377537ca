#pragma once

#include "widgets/map/map_picture.h"

#include <optional>

namespace headscope::widgets {

/// Highlighted and marked parts of a map.
struct MapMarks {
    std::optional<int> stepRow;    ///< the row of the current decoding step
    std::optional<int> stepColumn; ///< its column, if the map is transposed
    std::optional<int> row;        ///< under the pointer, or pinned
    std::optional<int> column;
};

/// Highlights a row and a column with their labels, and marks the row or column of the current step.
void drawMapMarks(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                  const MapMarks& marks, const TokenLabelStyle& style, const Theme& theme);

} // namespace headscope::widgets
