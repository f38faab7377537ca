#pragma once

#include "model/network/feed_forward.h"
#include "model/network/multi_head_attention.h"
#include "model/network/norm.h"
#include "model/network/pass.h"

namespace headscope::network {

/// Keys and values of the tokens fed so far, so that a further token costs one row. Both [heads, capacity,
/// d_k].
class KeyValueCache {
  public:
    KeyValueCache(int heads, int headWidth, std::int64_t capacity);

    std::int64_t length() const { return length_; }
    /// Forgets everything from token `length` on.
    void truncate(std::int64_t length) { length_ = length; }
    /// Adds rows [heads, n, d_k]; grows if they do not fit.
    void append(const KeysValues& rows);
    KeysValues all() const; // [heads, length, d_k] each

  private:
    std::int64_t length_ = 0;
    KeysValues stored_;
};

/// Masked self-attention, cross-attention, feed-forward (Vaswani et al. 2017, section 3.1).
class DecoderLayer {
  public:
    DecoderLayer(ParameterList& list, const NetworkConfig& config, int layer);

    /// What cross-attention reads of the encoder's output [S, d_model]; the same for every target token.
    KeysValues memory(const at::Tensor& encoderOutput) const {
        return crossAttention_.keysValues(encoderOutput);
    }

    /// x [n, d_model] are the next n tokens; their keys and values are added to `fed`.
    /// selfMask [n, fed + n], crossMask [n, S] bool -> [n, d_model]
    at::Tensor forward(at::Tensor x, KeyValueCache& fed, const at::Tensor& selfMask, const KeysValues& memory,
                       const at::Tensor& crossMask, const Pass& pass) const;

  private:
    int layer_;
    NormScheme scheme_;
    MultiHeadAttention selfAttention_;
    MultiHeadAttention crossAttention_;
    FeedForward feedForward_;
    Norm aroundSelf_;
    Norm aroundCross_;
    Norm aroundFeedForward_;
};

} // namespace headscope::network
