#include "model/network/parameters.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

namespace headscope::network {

namespace {

/// Allocates outside inference mode, so that gradients can be computed through the tensor.
at::Tensor emptyParameter(at::IntArrayRef shape, c10::Device device) {
    const c10::InferenceMode usual(false);
    return at::empty(shape, at::device(device).dtype(at::kFloat));
}

} // namespace

at::Tensor ParameterList::add(const std::string& role, at::IntArrayRef shape) {
    parameters_.push_back({role, emptyParameter(shape, device_)});
    return parameters_.back().tensor;
}

at::Tensor ParameterList::addFused(const std::vector<std::string>& roles, at::IntArrayRef shapeOfPart) {
    auto shape = shapeOfPart.vec();
    const auto rows = shape.front();
    shape.front() *= static_cast<std::int64_t>(roles.size());
    const auto whole = emptyParameter(shape, device_);
    for (std::size_t i = 0; i < roles.size(); ++i)
        parameters_.push_back({roles[i], whole.narrow(0, static_cast<std::int64_t>(i) * rows, rows)});
    return whole;
}

Linear Linear::buildFused(ParameterList& list, const std::vector<std::string>& roles, int in, int out,
                          bool hasBias) {
    std::vector<std::string> weights;
    std::vector<std::string> biases;
    for (const auto& role : roles) {
        weights.push_back(role + ".weight");
        biases.push_back(role + ".bias");
    }
    Linear linear{.weight = list.addFused(weights, {out, in})};
    if (hasBias)
        linear.bias = list.addFused(biases, {out});
    return linear;
}

Linear Linear::part(std::int64_t index, std::int64_t count) const {
    const auto rows = weight.size(0) / count;
    return {.weight = weight.narrow(0, index * rows, rows),
            .bias = bias.defined() ? bias.narrow(0, index * rows, rows) : at::Tensor()};
}

Linear Linear::build(ParameterList& list, const std::string& role, int in, int out, bool hasBias) {
    Linear linear;
    linear.weight = list.add(role + ".weight", {out, in});
    if (hasBias)
        linear.bias = list.add(role + ".bias", {out});
    return linear;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
    // A single row, as in every decoding step: a matrix-vector product reads the weight once, while the
    // general product would first copy it into its own layout.
    if (x.dim() == 2 && x.size(0) == 1) {
        const auto y = bias.defined() ? at::addmv(bias, weight, x[0]) : at::mv(weight, x[0]);
        return y.unsqueeze(0);
    }
    return at::linear(x, weight, bias);
}

} // namespace headscope::network
