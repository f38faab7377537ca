#pragma once

#include "model/trace/training_log.h"
#include "widgets/plots/plot.h"

#include <vector>

namespace headscope::widgets {

/// Returns three plots over the steps, all of which reach to the last one: losses; accuracy and BLEU, both of
/// 100; entropies. Each has the steps at which one of its curves was measured, and curves that were.
std::vector<Plot> trainingPlots(const std::vector<trace::TrainingPoint>& points);

} // namespace headscope::widgets
