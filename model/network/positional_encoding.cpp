#include "model/network/positional_encoding.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace headscope::network {

namespace {

/// In float32 and in this order, like the programs that trained with the formulas. [pairs]
at::Tensor frequencies(const NetworkConfig& config, std::int64_t width) {
    const double logBase = std::log(config.positionBase);
    if (config.positions != PositionScheme::SinusoidHalvesInclusive)
        return at::exp(at::arange(0, width, 2, at::kFloat) * -(logBase / width));
    const auto pairs = width / 2;
    return at::exp(at::arange(pairs, at::kFloat) * -(logBase / std::max<std::int64_t>(1, pairs - 1)));
}

} // namespace

at::Tensor sinusoidTable(const NetworkConfig& config, std::int64_t width) {
    const auto first = config.firstPosition;
    const auto position = at::arange(first, first + config.maximumPositions, at::kFloat).unsqueeze(1);
    const auto frequency = frequencies(config, width);
    const auto angle = position * frequency; // [positions, pairs]
    auto table = at::zeros({config.maximumPositions, width});
    if (config.positions == PositionScheme::SinusoidInterleaved) {
        table.slice(1, 0, width, 2).copy_(angle.sin());
        table.slice(1, 1, width, 2).copy_(angle.cos().narrow(1, 0, width / 2));
    } else {
        const auto half = angle.size(1);
        table.narrow(1, 0, half).copy_(angle.sin());
        const auto cosines = std::min(half, width - half);
        table.narrow(1, half, cosines).copy_(angle.cos().narrow(1, 0, cosines));
    }
    return table;
}

} // namespace headscope::network
