#pragma once

#include "model/network/network_config.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// Returns the positional table of a sinusoid scheme, [config.maximumPositions, d_model], from position
/// config.firstPosition on. Frequencies are base^(-2m/d_model) for the m-th pair of dimensions (Vaswani et
/// al. 2017, section 3.5); for SinusoidHalvesInclusive base^(-m/(pairs - 1)).
at::Tensor sinusoidTable(const NetworkConfig& config);

} // namespace headscope::network
