#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/parameters.h"

#include <optional>

namespace headscope::network {

/// Head on the output of the stack that answers: the hidden layer of HeadConfig, if any, and an output
/// projection, with a bias unless the decoder's has none.
class OutputHead {
  public:
    /// A defined `tied` [outputs, width of the projection's input] is the projection.
    OutputHead(ParameterList& list, const NetworkConfig& config, std::int64_t outputs,
               const at::Tensor& tied = {});

    /// Input of the output projection: [..., width of the stack] -> [..., width].
    at::Tensor features(const at::Tensor& x) const;
    /// [..., width of the stack] -> [..., outputs]
    at::Tensor logits(const at::Tensor& x) const { return output_(features(x)); }
    const Linear& output() const { return output_; }
    /// Returns the reading of x [n, d_model] that gives what `reading` of features(x) gives. An activation is
    /// a gate times its argument, f(z) = (f(z) / z) z; gates and the norm's divisors are those of x.
    LinearReading before(LinearReading reading, const at::Tensor& x) const;

  private:
    Activation activation_;
    std::optional<Linear> hidden_;
    std::optional<Norm> norm_;
    Linear output_;
};

} // namespace headscope::network
