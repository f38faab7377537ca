#pragma once

#include "model/trace/expert_routing.h"
#include "model/trace/token.h"

#include <vector>

namespace headscope::analysis {

/// Share of the tokens that use each expert of a layer, [experts]; padding is not counted. Their sum is the
/// number of experts that a token uses.
std::vector<double> expertLoad(const trace::ExpertRouting& routing, const trace::LayerRouting& layer,
                               const std::vector<trace::Token>& tokens);

} // namespace headscope::analysis
