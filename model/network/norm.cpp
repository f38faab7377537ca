#include "model/network/norm.h"

#include <ATen/ATen.h>

#include <cmath>

namespace headscope::network {

namespace {

/// Mean and sum of squared deviations of one row, summed in float64. Written as a loop, because for the
/// single row of a step LibTorch's operators would cost ten times their arithmetic.
struct Moments {
    double mean = 0;
    double squares = 0;

    Moments(const float* x, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i)
            mean += x[i];
        mean /= static_cast<double>(n);
        for (std::int64_t i = 0; i < n; ++i)
            squares += (x[i] - mean) * (x[i] - mean);
    }
};

at::Tensor annotatedNorm(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& bias,
                         double epsilon) {
    if (x.requires_grad()) { // the loop below records no gradients
        const auto centred = x - x.mean(-1, /*keepdim=*/true);
        const auto y = gain * centred / (x.std(-1, /*unbiased=*/true, /*keepdim=*/true) + epsilon);
        return bias.defined() ? y + bias : y;
    }
    const auto input = x.contiguous();
    const auto n = x.size(-1);
    auto output = at::empty_like(input);
    const float* from = input.data_ptr<float>();
    const float* const gains = gain.data_ptr<float>();
    const float* const biases = bias.defined() ? bias.data_ptr<float>() : nullptr;
    float* to = output.data_ptr<float>();
    for (const float* const end = from + input.numel(); from < end; from += n, to += n) {
        const Moments moments(from, n);
        const auto mean = static_cast<float>(moments.mean);
        const auto factor =
            static_cast<float>(1 / (std::sqrt(moments.squares / static_cast<double>(n - 1)) + epsilon));
        for (std::int64_t i = 0; i < n; ++i)
            to[i] = gains[i] * ((from[i] - mean) * factor) + (biases ? biases[i] : 0.0F);
    }
    return output;
}

} // namespace

Norm::Norm(ParameterList& list, const std::string& role, const NetworkConfig& config, double epsilon,
           std::int64_t width)
    : kind_(config.normKind), hasUnitOffset_(config.normUnitOffset), epsilon_(epsilon),
      gain_(list.add(role + ".gain", {width})) {
    if (kind_ != NormKind::RootMeanSquare && config.biases.norm)
        bias_ = list.add(role + ".bias", {width});
}

at::Tensor Norm::gain() const {
    return hasUnitOffset_ ? gain_ + 1 : gain_;
}

at::Tensor Norm::operator()(const at::Tensor& x) const {
    switch (kind_) {
    case NormKind::LayerNorm:
        return at::layer_norm(x, {x.size(-1)}, gain(), bias_, epsilon_);
    case NormKind::AnnotatedLayerNorm:
        return annotatedNorm(x, gain(), bias_, epsilon_);
    case NormKind::RootMeanSquare:
        return gain() * x / (x.square().mean(-1, /*keepdim=*/true) + epsilon_).sqrt();
    }
    return {};
}

at::Tensor Norm::Frozen::linear(const at::Tensor& part) const {
    const auto centred = centres ? part - part.mean(-1, /*keepdim=*/true) : part;
    return gain * centred / divisor;
}

LinearReading Norm::Frozen::before(const LinearReading& reading) const {
    const auto gained = gain * reading.direction;
    // (x - mean(x)) . gained = x . (gained - mean(gained))
    return {.direction = (centres ? gained - gained.mean(-1, /*keepdim=*/true) : gained) / divisor,
            .constant =
                bias.defined() ? reading.constant + at::matmul(reading.direction, bias) : reading.constant};
}

Norm::Frozen Norm::freeze(const at::Tensor& x) const {
    Frozen frozen{.gain = gain(), .bias = bias_};
    switch (kind_) {
    case NormKind::LayerNorm:
        frozen.divisor = (x.var(-1, /*unbiased=*/false, /*keepdim=*/true) + epsilon_).sqrt();
        break;
    case NormKind::AnnotatedLayerNorm:
        frozen.divisor = x.std(-1, /*unbiased=*/true, /*keepdim=*/true) + epsilon_;
        break;
    case NormKind::RootMeanSquare:
        frozen.divisor = (x.square().mean(-1, /*keepdim=*/true) + epsilon_).sqrt();
        frozen.centres = false;
        break;
    }
    return frozen;
}

} // namespace headscope::network
