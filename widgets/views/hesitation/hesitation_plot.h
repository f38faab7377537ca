#pragma once

#include "model/analysis/output/hesitation.h"
#include "widgets/plots/plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Probability, margin and entropy below each other, with one bar per step. `lit`: the highlighted step.
Plot hesitationPlot(const std::vector<analysis::Hesitation>& steps, std::optional<int> lit);

} // namespace headscope::widgets
