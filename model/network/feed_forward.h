#pragma once

#include "model/network/network_config.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"

#include <string>

namespace headscope::network {

/// Position-wise feed-forward network (Vaswani et al. 2017, section 3.3, equation 2), gated if the
/// configuration says so (Shazeer 2020).
class FeedForward {
  public:
    FeedForward(ParameterList& list, const std::string& role, const NetworkConfig& config,
                const StackConfig& stack);

    at::Tensor operator()(const at::Tensor& x, const Pass& pass) const; // [n, d_model] -> [n, d_model]

  private:
    Activation activation_;
    Linear in_;
    Linear gate_; // weight undefined: none
    Linear out_;
};

} // namespace headscope::network
