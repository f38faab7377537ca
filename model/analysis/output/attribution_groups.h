#pragma once

#include "model/trace/lens.h"

#include <vector>

namespace headscope::analysis {

/// The contribution of one sublayer to a logit: the heads and bias of an attention form one group, every
/// other part a group of its own.
struct AttributionGroup {
    std::vector<trace::LogitPart> parts; ///< at least one
    double sum = 0;
};

/// In order of the residual stream.
std::vector<AttributionGroup> attributionGroups(const trace::LogitAttribution& attribution);

/// Equals the logit up to rounding.
double sumOfParts(const trace::LogitAttribution& attribution);

/// Whether the parts sum to the logit within 1e-4 max(1, |logit|), the accuracy of single precision.
bool partsSumToLogit(const trace::LogitAttribution& attribution);

} // namespace headscope::analysis
