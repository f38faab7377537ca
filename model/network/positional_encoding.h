#pragma once

#include "model/network/network_config.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// Returns the positional table of a sinusoid scheme, [config.maximumPositions, width], from position
/// config.firstPosition on. Frequencies are base^(-2m/width) for the m-th pair of dimensions (Vaswani et
/// al. 2017, section 3.5); for SinusoidHalvesInclusive base^(-m/(pairs - 1)).
at::Tensor sinusoidTable(const NetworkConfig& config, std::int64_t width);

} // namespace headscope::network
