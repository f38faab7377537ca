#pragma once

#include "model/network/attention_positions.h"
#include "model/network/feed_forward.h"
#include "model/network/multi_head_attention.h"
#include "model/network/norm.h"
#include "model/network/pass.h"
#include "model/network/sublayer.h"

namespace headscope::network {

/// Self-attention, then feed-forward, each in a residual connection (Vaswani et al. 2017, section 3.1).
class EncoderLayer {
  public:
    EncoderLayer(ParameterList& list, const NetworkConfig& config, int layer);
    /// Another layer with the same weights.
    EncoderLayer(const EncoderLayer& other, int layer);

    /// x [S, d_model], mask [S, S] bool -> [S, d_model]
    at::Tensor forward(at::Tensor x, const AttentionMask& mask, const AttentionPositions& positions,
                       const Pass& pass) const;

    AttentionModule attention() const {
        return {selfAttention_, aroundAttention_, pointerTo(afterAttention_)};
    }
    const Norm& feedForwardNorm() const { return aroundFeedForward_; }

  private:
    int layer_;
    NormScheme scheme_;
    MultiHeadAttention selfAttention_;
    FeedForward feedForward_;
    Norm aroundAttention_;
    Norm aroundFeedForward_;
    std::optional<Norm> afterAttention_;
    std::optional<Norm> afterFeedForward_;
};

} // namespace headscope::network
