#pragma once

#include "model/trace/quantity_maps.h"

#include <vector>

namespace headscope::analysis {

/// Per row of ALTI+ maps the part that comes from the source, 0 to 1; NaN where the row is undefined. Low:
/// the model goes on from what it has written rather than reads (Ferrando et al. 2022, ALTI+; compare Voita,
/// Sennrich and Titov 2021). Not for roll-out, whose split is fixed by the number of layers.
std::vector<double> sourceShares(const trace::QuantityMaps& contributions);

} // namespace headscope::analysis
