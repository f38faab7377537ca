#pragma once

#include "model/network/network_config.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// Returns the angle per position of each pair of dimensions of a head, [pairs] float64 radians: base^(-2i/d)
/// with d the dimensions that rotate (Su et al. 2021, section 3.2.2), changed as `rotation.scaling` says. The
/// formulas are those of Hugging Face's modeling_rope_utils.py.
at::Tensor rotationFrequencies(double base, const Rotation& rotation, int headWidth);

} // namespace headscope::network
