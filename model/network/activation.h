#pragma once

#include "model/network/network_config.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// Any shape -> the same shape.
at::Tensor activate(Activation activation, const at::Tensor& x);

} // namespace headscope::network
