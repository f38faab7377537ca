#pragma once

#include "widgets/map/map_layout.h"

#include <optional>

class QKeyEvent;
class QWheelEvent;
class QWidget;

namespace headscope::widgets {

/// Property of widgets that handle +, - and 0: true if they zoom a map, false if they do something else.
inline constexpr const char* zoomsByKey = "zooms-by-key";

/// Returns the cell that a key moves the cursor to, within the map: arrows by a cell, Page Up and Down by
/// `page` rows, Home and End to the ends of the row, with Ctrl of the first or last row. Nothing for other
/// keys and for an empty map.
std::optional<MapCell> movedCell(const QKeyEvent& event, MapCell from, int rows, int columns, int page = 1);

/// Returns the part of a map that a key shows instead of `window`: + and - zoom around the cursor, or around
/// the middle if there is no cursor; 0 returns an empty rectangle, which shows all. Nothing for other keys
/// and for an empty map.
std::optional<QRectF> zoomedByKey(const QKeyEvent& event, const QRectF& window, std::optional<MapCell> cursor,
                                  int rows, int columns);

/// True if the wheel zooms a map: always with Ctrl, otherwise if the map is not in a scroll area.
bool zooms(const QWheelEvent& wheel, const QWidget& map);

} // namespace headscope::widgets
