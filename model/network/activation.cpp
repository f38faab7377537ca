#include "model/network/activation.h"

#include <ATen/ATen.h>

namespace headscope::network {

at::Tensor activate(Activation activation, const at::Tensor& x) {
    switch (activation) {
    case Activation::Relu:
        return x.relu();
    case Activation::Gelu:
        return at::gelu(x);
    case Activation::GeluTanh:
        return at::gelu(x, "tanh");
    case Activation::Silu:
        return at::silu(x);
    case Activation::Tanh:
        return x.tanh();
    case Activation::None:
        return x;
    }
    return {};
}

} // namespace headscope::network
