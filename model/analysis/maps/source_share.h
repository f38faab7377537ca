#pragma once

#include "model/trace/quantity_maps.h"

#include <vector>

namespace headscope::analysis {

/// Returns the share of the source in each row of ALTI+ maps, 0 to 1; NaN for undefined rows. A low share
/// means that the model relies on its own output rather than on the source (Ferrando et al. 2022, ALTI+;
/// compare Voita, Sennrich and Titov 2021). Not for roll-out, whose split is fixed by the number of layers.
std::vector<double> sourceShares(const trace::QuantityMaps& contributions);

} // namespace headscope::analysis
