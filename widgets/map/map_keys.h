#pragma once

#include "widgets/map/map_layout.h"

#include <optional>

class QKeyEvent;
class QWheelEvent;
class QWidget;

namespace headscope::widgets {

/// The property of widgets for which +, - and 0 have a meaning: true of a map, false of anything else.
inline constexpr const char* zoomsByKey = "zooms-by-key";

/// Where a key moves the cursor of a map of `rows` x `columns` cells: arrows by a cell, Page Up and Down by
/// `page` rows, Home and End along the row, and with Ctrl to the first and last row as well. Stays within the
/// map; nothing for other keys and for an empty map.
std::optional<MapCell> movedCell(const QKeyEvent& event, MapCell from, int rows, int columns, int page = 1);

/// The part of a map that a key shows instead of `window`: + and - zoom around the cursor, or the middle
/// where there is none, 0 shows all of it, which is an empty rectangle. Nothing for other keys and an empty
/// map.
std::optional<QRectF> zoomedByKey(const QKeyEvent& event, const QRectF& window, std::optional<MapCell> cursor,
                                  int rows, int columns);

/// Whether the wheel zooms a map: with Ctrl always, else where nothing around the map scrolls.
bool zooms(const QWheelEvent& wheel, const QWidget& map);

} // namespace headscope::widgets
