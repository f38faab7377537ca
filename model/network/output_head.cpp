#include "model/network/output_head.h"

#include "model/network/activation.h"

#include <ATen/ATen.h>

namespace headscope::network {

OutputHead::OutputHead(ParameterList& list, const NetworkConfig& config, std::int64_t outputs,
                       const at::Tensor& tied)
    : activation_(config.head.activation) {
    const std::string role(headRole(config));
    const bool decodes = config.decoder.layers > 0;
    const auto& stack = decodes ? config.decoder : config.encoder;
    const bool predictsWords = config.tokenPrediction == trace::TokenPrediction::Masked;
    const auto inner = decodes         ? config.targetWidth() // so that the projection can be the embedding
                       : predictsWords ? config.sourceWidth()
                                       : config.modelWidth;
    if (config.head.hidden)
        hidden_ = Linear::build(list, role + "_hidden", config.widthOf(stack), inner,
                                activation_ != Activation::None);
    if (config.head.norm)
        norm_.emplace(list, role + "_norm", config, stack.normEpsilon, inner);
    output_.weight =
        tied.defined() ? tied : list.add(role + ".weight", {outputs, inner}, ParameterType::OfFile);
    if (!decodes || config.biases.generator)
        output_.bias = list.add(role + ".bias", {outputs});
}

at::Tensor OutputHead::features(const at::Tensor& x) const {
    const auto y = hidden_ ? activate(activation_, (*hidden_)(x)) : x;
    return norm_ ? (*norm_)(y) : y;
}

LinearReading OutputHead::before(LinearReading reading, const at::Tensor& x) const {
    const auto z = hidden_ ? (*hidden_)(x) : x;
    const auto y = hidden_ ? activate(activation_, z) : x;
    if (norm_)
        reading = norm_->freeze(y).before(reading);
    if (!hidden_)
        return reading;
    const auto gate = at::where(z == 0, at::zeros_like(z), y / z); // 0 times any gate is 0
    return hidden_->before({.direction = reading.direction * gate, .constant = reading.constant});
}

} // namespace headscope::network
