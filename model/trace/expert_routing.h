#pragma once

#include "model/trace/request.h"

#include <cstddef>
#include <vector>

namespace headscope::trace {

/// Experts of one layer to which its router sent each token, the largest weight first.
struct LayerRouting {
    int layer = 0;
    std::vector<int> experts;   ///< [tokens * used]
    std::vector<float> weights; ///< [tokens * used] by which the experts' outputs are multiplied
};

/// Which experts each token of the target uses in each layer that has experts (Shazeer et al. 2017).
struct ExpertRouting {
    Request request;
    int experts = 0; ///< of a layer
    int used = 0;    ///< by each token in a layer
    std::vector<LayerRouting> layers;
};

} // namespace headscope::trace
