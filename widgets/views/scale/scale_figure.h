#pragma once

#include <QString>

#include "model/trace/figure_data.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/scale/scale_question.h"

#include <vector>

namespace headscope::widgets {

// What a figure of the scale says, and the numbers behind it.

QString scoresCaption(const ScaleAnswer& answer);
QString headsCaption(const ScaleAnswer& answer);
QString varianceCaption(const trace::ModelSummary& model, double temperature);

/// The entropy of each row, and its key with the largest score.
trace::DataTable entropyRows(const analysis::OpenScores& scores, const trace::Matrix& weights,
                             const std::vector<TokenLabel>& queries);
/// The histogram and the statistics of each kind of score; those divided by the temperature only if it is not
/// 1.
trace::FigureData scoresData(const analysis::ScoresOnOneAxis& scores);
trace::FigureData varianceData(const ScaleAnswer& answer, const std::vector<analysis::HeadSpread>& twins,
                               double temperature);
trace::FigureData headsData(const ScaleAnswer& answer);

} // namespace headscope::widgets
