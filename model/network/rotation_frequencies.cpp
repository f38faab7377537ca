#include "model/network/rotation_frequencies.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::network {

namespace {

/// Mixes divided and unchanged frequencies; `kept` is the share of the unchanged ones, [pairs].
at::Tensor mixed(const at::Tensor& frequencies, double factor, const at::Tensor& kept) {
    return frequencies / factor * (1 - kept) + frequencies * kept;
}

at::Tensor llama3(const at::Tensor& frequencies, const Rotation& rotation) {
    const auto rotations = frequencies * (rotation.originalLength / (2 * std::numbers::pi));
    const auto kept = ((rotations - rotation.low) / (rotation.high - rotation.low)).clamp(0, 1);
    return mixed(frequencies, rotation.factor, kept);
}

/// Pairs from the first to the last that turn `high` to `low` times within the original length change over
/// from kept to divided.
at::Tensor yarn(const at::Tensor& frequencies, const Rotation& rotation, double base, int width) {
    const auto pairThatTurns = [&](double rotations) {
        return width * std::log(rotation.originalLength / (rotations * 2 * std::numbers::pi)) /
               (2 * std::log(base));
    };
    const double first = std::max(std::floor(pairThatTurns(rotation.high)), 0.0);
    double last = std::min(std::ceil(pairThatTurns(rotation.low)), width - 1.0);
    if (first == last)
        last += 0.001; // as in the original, which avoids a division by zero so
    const auto pairs = at::arange(frequencies.size(0), at::kDouble);
    return mixed(frequencies, rotation.factor, 1 - ((pairs - first) / (last - first)).clamp(0, 1));
}

} // namespace

at::Tensor rotationFrequencies(double base, const Rotation& rotation, int headWidth) {
    const auto width = rotation.widthIn(headWidth);
    const auto half = width / 2;
    const auto frequencies = at::exp(at::arange(half, at::kDouble) * (-std::log(base) / half));
    switch (rotation.scaling) {
    case RotationScaling::None:
    case RotationScaling::Dynamic:
        break;
    case RotationScaling::Linear:
        return frequencies / rotation.factor;
    case RotationScaling::Llama3:
        return llama3(frequencies, rotation);
    case RotationScaling::Yarn:
        return yarn(frequencies, rotation, base, width);
    case RotationScaling::Long:
        return frequencies / at::tensor(rotation.shares, at::kDouble);
    }
    return frequencies;
}

} // namespace headscope::network
