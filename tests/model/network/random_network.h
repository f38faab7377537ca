#pragma once

#include "model/network/transformer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

/// Networks of random weights, the same in every run.
namespace random_network {

using headscope::network::NetworkConfig;
using headscope::network::Parameter;

inline void fill(const std::vector<Parameter>& parameters, std::uint64_t seed = 7) {
    at::manual_seed(seed);
    for (const auto& [role, parameter] : parameters)
        parameter.copy_(at::randn(parameter.sizes()) * 0.4);
}

inline NetworkConfig smallConfig() {
    const headscope::network::StackConfig stack{
        .layers = 2, .heads = 3, .headWidth = 4, .feedForwardWidth = 20, .scoreScale = 0.5};
    return {.encoder = stack,
            .decoder = stack,
            .modelWidth = 12,
            .sourceVocabulary = 17,
            .targetVocabulary = 23,
            .maximumPositions = 40};
}

inline const at::Tensor& parameter(const std::vector<Parameter>& parameters, std::string_view role) {
    const auto found = std::ranges::find(parameters, role, &Parameter::role);
    if (found == parameters.end())
        throw std::out_of_range(std::string(role));
    return found->tensor;
}

/// Makes the largest weight of the first head a thousandth larger: no comparison may be so generous that it
/// does not notice.
inline void changeOneWeight(const std::vector<Parameter>& parameters, const std::string& role) {
    const auto ofHead = parameter(parameters, role).narrow(0, 0, smallConfig().encoder.headWidth).view(-1);
    ofHead[ofHead.abs().argmax()] *= 1.001;
}

inline at::Tensor ids(std::initializer_list<std::int64_t> values) {
    return at::tensor(std::vector<std::int64_t>(values), at::kLong);
}

inline at::Tensor allOpen(const at::Tensor& ids) {
    return at::ones(ids.sizes(), at::kBool);
}

/// Stores the reported attention, newest last.
class Reports : public headscope::network::ForwardObserver {
  public:
    void attention(const headscope::network::AttentionReport& report) override {
        sites.push_back(report.site);
        masks.push_back(report.mask);
        scores.push_back(report.scores);
        weights.push_back(report.weights);
        outputs.push_back(report.outputs);
    }
    void residual(headscope::network::Stack stack, int sublayer, const at::Tensor& x) override {
        residuals.push_back(x);
        sublayers.emplace_back(stack, sublayer);
    }

    std::vector<headscope::trace::AttentionSite> sites;
    std::vector<at::Tensor> masks, scores, weights, outputs, residuals;
    std::vector<std::pair<headscope::network::Stack, int>> sublayers;
};

} // namespace random_network
