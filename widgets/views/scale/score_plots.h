#pragma once

#include "model/analysis/scores/score_spread.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "widgets/plots/plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The scheme that uses this initialisation.
QString initialisationName(analysis::Initialisation initialisation);

/// Marks of heads, in the shape, the colour and with the name of their kind; still without points.
PlotSeries kindMarks(trace::AttentionKind kind);

/// Histograms of scores on one axis: with the factor of q k (filled), without it (outline) and, at a
/// temperature other than 1, divided by the temperature (dashed).
Plot scoresPlot(const analysis::ScoresOnOneAxis& scores);

/// Variances of q . k over d_k, both logarithmic. Each head is a mark near the model's d_k, with layers side
/// by side; lines show the variances of common initialisations. `twin` may be empty.
Plot variancePlot(const std::vector<analysis::HeadSpread>& heads,
                  const std::vector<analysis::HeadSpread>& twin, int headWidth);

/// The mean entropy of the rows over the temperature. Marks the current temperature, 1, and the temperature
/// that is equal to dropping the factor of q k.
struct EntropyOverTemperature {
    analysis::EntropyCurve curve;
    double temperature = 1;
    std::optional<double> entropy; ///< at `temperature`
    QString stillOf; ///< head of an outdated curve; empty if the curve belongs to the shown head
    std::optional<double> without; ///< the temperature equal to dropping the factor
};
Plot entropyPlot(const EntropyOverTemperature& shown);

} // namespace headscope::widgets
