#pragma once

#include <QString>

#include "widgets/views/positions/position_table.h"

#include <memory>
#include <vector>

class QCustomPlot;

namespace headscope::widgets {

struct Theme;

/// What curves over the position show, and how they stand in their plot.
struct DrawnCurves {
    std::shared_ptr<const trace::Matrix> values;
    bool byDistance = false;
    bool isScore = false;
    int first = 0; ///< where the first row stands on the axis
    std::vector<int> dimensions;

    QString curveName(int dimension) const;
    /// Colours and dashes; twice two kinds of lines and eight colours, so that no two curves share both.
    void dress(QCustomPlot& plot, const Theme& theme, double width) const;
    /// Curves, and dots where tokens of `table` stand.
    void fill(QCustomPlot& plot, const PositionTable& table, int positions) const;
    /// As many names in a row as are whole there.
    void wrapLegend(QCustomPlot& plot, double width) const;
};

} // namespace headscope::widgets
