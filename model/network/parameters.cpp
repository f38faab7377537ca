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

at::Tensor ParameterList::addFused(const std::vector<Part>& parts, at::IntArrayRef shape) {
    auto all = shape.vec();
    all.insert(all.begin(), 0);
    for (const auto& part : parts)
        all.front() += part.rows;
    const auto whole = emptyParameter(all, device_);
    std::int64_t first = 0;
    for (const auto& [role, rows] : parts) {
        parameters_.push_back({role, whole.narrow(0, first, rows)});
        first += rows;
    }
    return whole;
}

Linear Linear::buildFused(ParameterList& list, const std::vector<ParameterList::Part>& parts, int in,
                          bool hasBias) {
    std::vector<ParameterList::Part> weights;
    std::vector<ParameterList::Part> biases;
    for (const auto& [role, rows] : parts) {
        weights.push_back({role + ".weight", rows});
        biases.push_back({role + ".bias", rows});
    }
    Linear linear{.weight = list.addFused(weights, {in})};
    if (hasBias)
        linear.bias = list.addFused(biases, {});
    return linear;
}

Linear Linear::part(std::int64_t first, std::int64_t rows) const {
    return {.weight = weight.narrow(0, first, rows),
            .bias = bias.defined() ? bias.narrow(0, first, rows) : at::Tensor()};
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
