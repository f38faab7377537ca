#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/whole_pass.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headscope::network {

/// Splits an attention sublayer, its residual connection and its norm into the contributions of keys to rows
/// (Kobayashi et al. 2020, 2021). A norm is linear if its divisor is kept fixed, so that sum over keys of
/// parts(i) + residual(i) + constant(i) = result(i).
class AttentionBlock {
  public:
    /// `pass` must outlive the block. Throws trace::Refusal if a head's output was replaced, because it is
    /// not a sum over values then.
    AttentionBlock(const Transformer& network, const Interventions& interventions,
                   const trace::AttentionSite& site, const SitePass& pass);

    /// Contribution of each head and key before weighting: W_O v with the head's own columns of W_O,
    /// [heads, keys, d_model].
    const at::Tensor& written() const { return written_; }
    /// Sum of all heads and the bias, before any norm or factor, [rows, d_model].
    at::Tensor output() const;
    /// Bias of the output projection, [d_model]; undefined if there is none.
    const at::Tensor& bias() const { return bias_; }
    /// Residual stream that the sublayer's output is added to, before a norm of the sum, [rows, d_model].
    const at::Tensor& addedTo() const { return residual_; }
    /// Factor of the sublayer's output.
    double factor() const { return factor_; }
    std::int64_t rows() const { return pass_.weights.size(1); }

    at::Tensor parts(std::int64_t row) const;    // sum over heads, [keys, d_model]
    at::Tensor residual(std::int64_t row) const; // [d_model]
    at::Tensor constant(std::int64_t row) const; // contribution of the biases, [d_model]
    at::Tensor result(std::int64_t row) const;   // stream after the sublayer, [d_model]

  private:
    bool normsOutput() const {
        return scheme_ == NormScheme::SublayerOutput || scheme_ == NormScheme::Sandwich;
    }
    /// Applies the frozen norm to a part of its input: [..., d_model].
    at::Tensor throughNorm(const at::Tensor& part, std::int64_t row) const;

    NormScheme scheme_;
    const SitePass& pass_;
    double factor_ = 1;   ///< factor of the sublayer
    at::Tensor written_;  ///< [heads, keys, d_model]
    at::Tensor bias_;     ///< [d_model]
    Norm::Frozen frozen_; ///< norm applied to the parts; gain undefined: none
    at::Tensor residual_; ///< [rows, d_model]
};

} // namespace headscope::network
