#pragma once

#include <QString>

#include "widgets/views/positions/position_table.h"

#include <memory>
#include <vector>

class QCustomPlot;

namespace headscope::widgets {

struct Theme;

/// Content and style of curves over the position.
struct DrawnCurves {
    std::shared_ptr<const trace::Matrix> values;
    bool byDistance = false;
    bool isScore = false;
    int first = 0; ///< axis value of the first row
    std::vector<int> dimensions;

    QString curveName(int dimension) const;
    /// Sets colours and dashes: eight colours and four dash patterns, so that no two curves share both.
    void dress(QCustomPlot& plot, const Theme& theme, double width) const;
    /// Adds the curves, and dots at the tokens of `table`.
    void fill(QCustomPlot& plot, const PositionTable& table, int positions) const;
    /// Wraps the legend so that no name is cut.
    void wrapLegend(QCustomPlot& plot, double width) const;
};

} // namespace headscope::widgets
