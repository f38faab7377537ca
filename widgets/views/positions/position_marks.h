#pragma once

#include "widgets/plots/plot.h"

#include <vector>

namespace headscope::widgets {

/// Marks of one value for each of 0, 1, 2, ...
struct PositionMarks {
    QString name;
    std::vector<double> values; ///< positive; other values have no mark
    std::vector<bool> hollow;   ///< [values]
};

/// Marks over a logarithmic axis. Rows differ in colour and shape.
Plot marksPlot(const std::vector<PositionMarks>& rows, const QString& across, const QString& up);

} // namespace headscope::widgets
