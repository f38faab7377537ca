#pragma once

#include "model/trace/lens.h"

#include <vector>

namespace headscope::analysis {

/// What one sublayer wrote into a logit, or what stands outside of them all: an attention's heads and its
/// bias together, every other part alone.
struct AttributionGroup {
    std::vector<trace::LogitPart> parts; ///< at least one, of one sublayer
    double sum = 0;
};

/// In the order of the stream.
std::vector<AttributionGroup> attributionGroups(const trace::LogitAttribution& attribution);

/// What the logit must be, up to rounding.
double sumOfParts(const trace::LogitAttribution& attribution);

/// True if the parts miss the logit by no more than single precision does: 1e-4 of it, or 1e-4 where it is
/// small.
bool partsSumToLogit(const trace::LogitAttribution& attribution);

} // namespace headscope::analysis
