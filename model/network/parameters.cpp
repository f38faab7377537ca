#include "model/network/parameters.h"

#include <ATen/ATen.h>

namespace headscope::network {

at::Tensor ParameterList::add(const std::string& role, at::IntArrayRef shape) {
    parameters_.push_back({role, at::empty(shape, at::device(device_).dtype(at::kFloat))});
    return parameters_.back().tensor;
}

Linear Linear::build(ParameterList& list, const std::string& role, int in, int out, bool hasBias) {
    Linear linear;
    linear.weight = list.add(role + ".weight", {out, in});
    if (hasBias)
        linear.bias = list.add(role + ".bias", {out});
    return linear;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
    return at::linear(x, weight, bias);
}

} // namespace headscope::network
