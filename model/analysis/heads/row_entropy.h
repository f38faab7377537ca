#pragma once

#include <span>

namespace headscope::analysis {

/// Entropy of a row of weights in bits (Shannon 1948; for heads: Clark et al. 2019, section 3.3, in nats).
/// 0 log 0 = 0.
double rowEntropy(std::span<const float> weights);

} // namespace headscope::analysis
