#include "model/network/feed_forward.h"

#include "model/network/activation.h"

#include <ATen/ATen.h>

#include <vector>

namespace headscope::network {

FeedForward::FeedForward(ParameterList& list, const std::string& role, const NetworkConfig& config,
                         const StackConfig& stack)
    : activation_(config.activation) {
    in_ = Linear::build(list, role + ".in", config.modelWidth, stack.feedForwardWidth,
                        config.biases.feedForward);
    if (config.feedForwardGate)
        gate_ = Linear::build(list, role + ".gate", config.modelWidth, stack.feedForwardWidth,
                              config.biases.feedForward);
    out_ = Linear::build(list, role + ".out", stack.feedForwardWidth, config.modelWidth,
                         config.biases.feedForward);
    out_.factor = config.residualScale;
}

at::Tensor FeedForward::operator()(const at::Tensor& x, const Pass& pass) const {
    if (pass.leavesOut(x.size(0), 0)) { // process long inputs some rows at a time, as in attention
        std::vector<at::Tensor> parts;
        for (const auto& some : x.split(pass.longestMap)) {
            if (pass.observer)
                pass.observer->report();
            parts.push_back((*this)(some, pass));
        }
        return at::cat(parts);
    }
    const bool isGated = gate_.weight.defined();
    const auto projected = isGated ? applied({&gate_, &in_}, x) : applied({&in_}, x);
    const auto& units = projected.front(); // [n, d_ff]
    if (pass.observer)
        pass.observer->units(units);
    const auto active = activate(activation_, units);
    return out_(isGated ? active * projected[1] : active);
}

} // namespace headscope::network
