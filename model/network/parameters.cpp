#include "model/network/parameters.h"

#include "model/network/matrix_product.h"
#include "model/network/network_config.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

namespace headscope::network {

at::Tensor ParameterList::add(const std::string& role, at::IntArrayRef shape, ParameterType type) {
    if (tiesStacks_) {
        const auto tied = std::ranges::find(parameters_, roleInOtherStack(role), &Parameter::role);
        if (tied != parameters_.end() && tied->tensor.sizes() == shape)
            return tied->tensor;
    }
    const c10::InferenceMode usual(false); // so that gradients can be computed through the tensor
    parameters_.push_back({role, source_ ? source_->tensor(role, shape, type)
                                         : at::empty(shape, at::device(device_).dtype(at::kFloat))});
    return parameters_.back().tensor;
}

Linear Linear::build(ParameterList& list, const std::string& role, std::int64_t in, std::int64_t out,
                     bool hasBias) {
    Linear linear;
    linear.weight = list.add(role + ".weight", {out, in}, ParameterType::OfFile);
    if (hasBias)
        linear.bias = list.add(role + ".bias", {out});
    return linear;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
    if (x.dim() == 2)
        return applied({this}, x).front();
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return applied({this}, x.reshape({-1, x.size(-1)})).front().view(shape);
}

LinearReading Linear::before(const LinearReading& reading) const {
    const auto direction = factor == 1 ? reading.direction : reading.direction * factor;
    return {.direction = at::matmul(direction, widened(weight)),
            .constant = bias.defined() ? reading.constant + at::matmul(direction, bias) : reading.constant};
}

std::vector<at::Tensor> applied(const std::vector<const Linear*>& maps, const at::Tensor& x) {
    const auto needsGradient = [](const Linear* map) {
        return map->weight.requires_grad() || (map->bias.defined() && map->bias.requires_grad());
    };
    std::vector<at::Tensor> results;
    if (!x.requires_grad() && std::ranges::none_of(maps, needsGradient))
        results = products(x, maps);
    else
        for (const auto* map : maps)
            results.push_back(at::linear(x, widened(map->weight), map->bias));
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (maps[i]->factor != 1)
            results[i] = results[i] * maps[i]->factor;
    return results;
}

} // namespace headscope::network
