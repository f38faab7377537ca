#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"

#include <ATen/ATen.h>

#include <utility>

namespace headscope::network {

/// The residual connection around a sublayer f, with its norm where the scheme puts it.
template <class Function>
at::Tensor addSublayer(NormScheme scheme, const Norm& norm, const at::Tensor& x, Function&& f) {
    switch (scheme) {
    case NormScheme::Pre:
        return x + f(norm(x));
    case NormScheme::Post:
        return norm(x + f(x));
    case NormScheme::PreNormedResidual: {
        const auto y = norm(x);
        return y + f(y);
    }
    case NormScheme::SublayerOutput:
        return x + norm(f(x));
    }
    return {};
}

} // namespace headscope::network
