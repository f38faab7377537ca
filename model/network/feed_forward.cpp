#include "model/network/feed_forward.h"

#include "model/network/activation.h"

#include <ATen/ATen.h>

#include <string>

namespace headscope::network {

FeedForwardNetwork::FeedForwardNetwork(ParameterList& list, const std::string& role,
                                       const NetworkConfig& config, const StackConfig& stack, int width)
    : activation_(stack.activation) {
    const bool hasBias = config.biases.feedForward;
    const auto modelWidth = config.widthOf(stack);
    in_ = Linear::build(list, role + ".in", modelWidth, width, hasBias);
    if (config.feedForwardGate)
        gate_ = Linear::build(list, role + ".gate", modelWidth, width, hasBias);
    out_ = Linear::build(list, role + ".out", width, modelWidth, hasBias);
    out_.factor = config.residualScale;
}

std::vector<at::Tensor> FeedForwardNetwork::together(const std::vector<const FeedForwardNetwork*>& networks,
                                                     const at::Tensor& x, ForwardObserver* observer) {
    std::vector<const Linear*> maps;
    for (const auto* network : networks) {
        if (network->gate_.weight.defined())
            maps.push_back(&network->gate_);
        maps.push_back(&network->in_);
    }
    const auto projected = applied(maps, x);
    std::vector<at::Tensor> results;
    auto next = projected.begin();
    for (const auto* network : networks) {
        const bool isGated = network->gate_.weight.defined();
        const auto& units = *next++; // [n, d_ff]
        if (observer)
            observer->units(units);
        const auto active = activate(network->activation_, units);
        results.push_back(network->out_(isGated ? active * *next++ : active));
    }
    return results;
}

FeedForward::FeedForward(ParameterList& list, const std::string& role, const NetworkConfig& config,
                         const StackConfig& stack, int layer)
    : layer_(layer), used_(stack.experts.used), normalised_(stack.experts.normalised) {
    const auto& experts = stack.experts;
    if (!stack.hasExperts(layer)) {
        networks_.emplace_back(list, role, config, stack, stack.feedForwardWidth);
        return;
    }
    router_ = Linear::build(list, role + ".router", config.widthOf(stack), experts.count, false);
    for (int expert = 0; expert < experts.count; ++expert)
        networks_.emplace_back(list, role + ".experts." + std::to_string(expert), config, stack,
                               experts.width);
    if (experts.sharedWidth == 0)
        return;
    shared_.emplace_back(list, role + ".shared", config, stack, experts.sharedWidth);
    sharedGate_ = Linear::build(list, role + ".shared_gate", config.widthOf(stack), 1, false);
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
    return router_.weight.defined() ? mixed(x, pass.observer) : networks_.front()(x, pass.observer);
}

at::Tensor FeedForward::mixed(const at::Tensor& x, ForwardObserver* observer) const {
    auto [weights, chosen] = router_(x).softmax(-1).topk(used_, -1); // [n, used] each
    if (normalised_)
        weights = weights / weights.sum(-1, true);
    if (observer)
        observer->routed({.layer = layer_, .experts = chosen, .weights = weights});
    const auto sum = ofExperts(x, chosen.contiguous(), weights, observer);
    return shared_.empty() ? sum : sum + sharedGate_(x).sigmoid() * shared_.front()(x, nullptr);
}

at::Tensor FeedForward::ofExperts(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& weights,
                                  ForwardObserver* observer) const {
    const auto* const experts = chosen.data_ptr<std::int64_t>();
    if (x.size(0) == 1) {
        std::vector<const FeedForwardNetwork*> networks;
        for (int place = 0; place < used_; ++place)
            networks.push_back(&networks_[experts[place]]);
        return at::matmul(weights, at::cat(FeedForwardNetwork::together(networks, x, nullptr)));
    }
    std::vector<std::vector<std::int64_t>> places(networks_.size()); // of each expert in [n * used]
    for (std::int64_t place = 0; place < chosen.numel(); ++place)
        places[experts[place]].push_back(place);
    auto sum = at::zeros_like(x);
    for (std::size_t expert = 0; expert < places.size(); ++expert) {
        if (places[expert].empty())
            continue;
        if (observer)
            observer->report();
        const auto place = at::tensor(places[expert], at::kLong);
        const auto rows = place.div(used_, "floor");
        const auto part = networks_[expert](x.index_select(0, rows), nullptr);
        sum.index_add_(0, rows, part * weights.reshape({-1, 1}).index_select(0, place));
    }
    return sum;
}

} // namespace headscope::network
