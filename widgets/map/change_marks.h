#pragma once

#include <QRectF>
#include <QString>

#include "model/trace/intervention.h"
#include "widgets/map/map_layout.h"

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Effect of a run's changes on one head.
enum class HeadMark {
    None,
    Changed, ///< scaled, replaced, a cell blocked or a row forced
    Off,     ///< its output is removed, alone or with its whole sublayer
};
HeadMark headMark(const std::vector<trace::Intervention>& interventions, const trace::HeadAddress& head);

/// For the end of a caption, such as " This head is switched off."; empty for HeadMark::None.
QString markInWords(HeadMark mark);

/// The cells of one head's map that a run's changes affect.
struct ChangedCells {
    std::vector<MapCell> blocked;
    std::vector<int> forcedRows;
    friend bool operator==(const ChangedCells&, const ChangedCells&) = default;
};
/// Rows and keys beyond the map are ignored.
ChangedCells changedCells(const std::vector<trace::Intervention>& interventions,
                          const trace::HeadAddress& head, int rows, int columns);

/// Frames the map of a changed head; over that of a head that is off lie wide stripes, too. Its colours stay.
void drawMapMark(QPainter& painter, const QRectF& plot, HeadMark mark, const Theme& theme);
/// Strikes through a head that is off, and draws a notch in the corner of a changed head.
void drawHeadMark(QPainter& painter, const QRectF& picture, HeadMark mark, const Theme& theme);
/// Crosses out blocked cells and draws dashed frames around forced rows.
void drawChangedCells(QPainter& painter, const MapLayout& layout, const ChangedCells& cells,
                      const Theme& theme);

} // namespace headscope::widgets
