#include "model/analysis/heads/row_entropy.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

double rowEntropy(std::span<const float> weights) {
    double bits = 0;
    for (const double weight : weights)
        if (weight > 0)
            bits -= weight * std::log2(weight);
    return std::max(0.0, bits);
}

} // namespace headscope::analysis
