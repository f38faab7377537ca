#include "model/network/positional_encoding.h"

#include <ATen/ATen.h>

#include <cmath>

namespace headscope::network {

at::Tensor sinusoidTable(const NetworkConfig& config) {
    const auto width = config.modelWidth;
    // In float32 and in this order, like the programs that trained with the formula.
    const auto position = at::arange(config.maximumPositions, at::kFloat).unsqueeze(1);
    const auto frequency =
        at::exp(at::arange(0, width, 2, at::kFloat) * -(std::log(config.positionBase) / width));
    const auto angle = position * frequency; // [positions, d_model / 2]
    auto table = at::zeros({config.maximumPositions, width});
    if (config.positions == PositionScheme::SinusoidInterleaved) {
        table.slice(1, 0, width, 2).copy_(angle.sin());
        table.slice(1, 1, width, 2).copy_(angle.cos().narrow(1, 0, width / 2));
    } else {
        const auto half = angle.size(1);
        table.narrow(1, 0, half).copy_(angle.sin());
        table.narrow(1, half, width - half).copy_(angle.cos().narrow(1, 0, width - half));
    }
    return table;
}

} // namespace headscope::network
