#pragma once

#include <QRectF>
#include <QString>

#include "model/trace/intervention.h"
#include "widgets/map/map_layout.h"

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// What a run's changes did to one head.
enum class HeadMark {
    None,
    Changed, ///< scaled, replaced, a cell blocked or a row forced
    Off,     ///< its output is removed, alone or with its whole sublayer
};
HeadMark headMark(const std::vector<trace::Intervention>& interventions, const trace::HeadAddress& head);

/// " This head is switched off." and the like, to follow a caption; empty for no mark.
QString markInWords(HeadMark mark);

/// The cells of one head's map that a run's changes touched.
struct ChangedCells {
    std::vector<MapCell> blocked;
    std::vector<int> forcedRows;
    friend bool operator==(const ChangedCells&, const ChangedCells&) = default;
};
/// Rows and keys beyond the map are left out.
ChangedCells changedCells(const std::vector<trace::Intervention>& interventions,
                          const trace::HeadAddress& head, int rows, int columns);

/// A head that is off is struck through; one that is changed has a notch in its corner.
void drawHeadMark(QPainter& painter, const QRectF& picture, HeadMark mark, const Theme& theme);
/// Blocked cells are crossed out, forced rows framed by a dashed line.
void drawChangedCells(QPainter& painter, const MapLayout& layout, const ChangedCells& cells,
                      const Theme& theme);

} // namespace headscope::widgets
