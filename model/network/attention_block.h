#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/whole_pass.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headscope::network {

/// An attention sublayer with its residual connection and norm, taken apart into what each key gave to each
/// row (Kobayashi et al. 2020, 2021). A norm is linear once its divisor is kept as it was, so that
/// sum over keys of parts(i) + residual(i) + constant(i) = result(i).
class AttentionBlock {
  public:
    /// `pass` outlives the block. Throws trace::Refusal where a head's output was replaced: it is not made of
    /// values then.
    AttentionBlock(const Transformer& network, const Interventions& interventions,
                   const trace::AttentionSite& site, const SitePass& pass);

    /// What each head writes of each key before it is weighted, W_O v with the head's own columns of W_O,
    /// [heads, keys, d_model].
    const at::Tensor& written() const { return written_; }
    /// What all heads and the bias write together, before any norm or factor, [rows, d_model].
    at::Tensor output() const;
    /// The output projection's, [d_model]; undefined where it has none.
    const at::Tensor& bias() const { return bias_; }
    /// What the sublayer's output is added to, before a norm of the sum, [rows, d_model].
    const at::Tensor& addedTo() const { return residual_; }
    /// What the sublayer's output is multiplied with before it is added.
    double factor() const { return factor_; }
    std::int64_t rows() const { return pass_.weights.size(1); }

    at::Tensor parts(std::int64_t row) const;    // all heads together, [keys, d_model]
    at::Tensor residual(std::int64_t row) const; // [d_model]
    at::Tensor constant(std::int64_t row) const; // of biases alone, [d_model]
    at::Tensor result(std::int64_t row) const;   // the stream after the sublayer, [d_model]

  private:
    /// A part of what the norm was given, as it comes out of it: [..., d_model].
    at::Tensor throughNorm(const at::Tensor& part, std::int64_t row) const;

    NormScheme scheme_;
    const SitePass& pass_;
    double factor_ = 1;   ///< of the sublayer
    at::Tensor written_;  ///< [heads, keys, d_model]
    at::Tensor bias_;     ///< [d_model]
    Norm::Frozen frozen_; ///< of the norm that the parts go through; no gain: of none
    at::Tensor residual_; ///< [rows, d_model]
};

} // namespace headscope::network
