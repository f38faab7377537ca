#include "model/network/norm.h"

#include <ATen/ATen.h>

namespace headscope::network {

Norm::Norm(ParameterList& list, const std::string& role, const NetworkConfig& config, double epsilon)
    : kind_(config.normKind), epsilon_(epsilon), gain_(list.add(role + ".gain", {config.modelWidth})) {
    if (kind_ != NormKind::RootMeanSquare && config.biases.norm)
        bias_ = list.add(role + ".bias", {config.modelWidth});
}

at::Tensor Norm::operator()(const at::Tensor& x) const {
    switch (kind_) {
    case NormKind::LayerNorm:
        return at::layer_norm(x, {x.size(-1)}, gain_, bias_, epsilon_);
    case NormKind::AnnotatedLayerNorm: {
        const auto mean = x.mean(-1, /*keepdim=*/true);
        const auto deviation = x.std(-1, /*unbiased=*/true, /*keepdim=*/true);
        const auto y = gain_ * (x - mean) / (deviation + epsilon_);
        return bias_.defined() ? y + bias_ : y;
    }
    case NormKind::RootMeanSquare:
        return gain_ * x / (x.square().mean(-1, /*keepdim=*/true) + epsilon_).sqrt();
    }
    return {};
}

Norm::Frozen Norm::freeze(const at::Tensor& x) const {
    Frozen frozen{.gain = gain_, .bias = bias_};
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
