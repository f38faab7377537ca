#pragma once

#include "model/analysis/scores/heads_at_temperature.h"
#include "widgets/plots/plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The entropies of the rows of each head at a temperature, one column per head. Mark: mean; line: least to
/// most; stroke: uniform attention. `chosen`: the highlighted head, if any.
Plot headEntropiesPlot(const std::vector<analysis::HeadAtTemperature>& heads,
                       std::optional<trace::HeadAddress> chosen);

/// The mean weight of the key with the largest score, one column per head.
Plot hardHeadsPlot(const std::vector<analysis::HeadAtTemperature>& heads,
                   std::optional<trace::HeadAddress> chosen);

/// The mean entropy of each head's rows over the temperature; one row per head.
Plot headCurvesPlot(const std::vector<analysis::HeadCurve>& curves, double temperature,
                    std::optional<trace::HeadAddress> chosen);

} // namespace headscope::widgets
