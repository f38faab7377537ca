#pragma once

#include "model/network/network_config.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"

#include <string>
#include <vector>

namespace headscope::network {

/// Two linear maps with an activation between them, gated if the configuration says so (Shazeer 2020).
class FeedForwardNetwork {
  public:
    FeedForwardNetwork(ParameterList& list, const std::string& role, const NetworkConfig& config,
                       const StackConfig& stack, int width);

    /// `observer` may be null. [n, d_model] -> [n, d_model]
    at::Tensor operator()(const at::Tensor& x, ForwardObserver* observer) const {
        return together({this}, x, observer).front();
    }
    /// Returns the results of networks of the same input, whose first maps are multiplied at once.
    static std::vector<at::Tensor> together(const std::vector<const FeedForwardNetwork*>& networks,
                                            const at::Tensor& x, ForwardObserver* observer);

  private:
    Activation activation_;
    Linear in_;
    Linear gate_; // weight undefined: none
    Linear out_;
};

/// Position-wise feed-forward sublayer (Vaswani et al. 2017, section 3.3, equation 2): one network for all
/// tokens, or a mixture of experts: the sum over a token's experts, weighted by its router.
class FeedForward {
  public:
    FeedForward(ParameterList& list, const std::string& role, const NetworkConfig& config,
                const StackConfig& stack, int layer);

    at::Tensor operator()(const at::Tensor& x, const Pass& pass) const; // [n, d_model] -> [n, d_model]

  private:
    at::Tensor mixed(const at::Tensor& x, ForwardObserver* observer) const;
    /// `chosen` and `weights` [n, used] -> the weighted sum over the chosen experts, [n, d_model]
    at::Tensor ofExperts(const at::Tensor& x, const at::Tensor& chosen, const at::Tensor& weights,
                         ForwardObserver* observer) const;

    int layer_;
    int used_;
    bool normalised_;
    Linear router_;                            // weight undefined: one network for all tokens
    std::vector<FeedForwardNetwork> networks_; // the experts, or the only one
    std::vector<FeedForwardNetwork> shared_;   // one or none: that of all tokens beside their experts
    Linear sharedGate_;
};

} // namespace headscope::network
