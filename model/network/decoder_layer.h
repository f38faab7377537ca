#pragma once

#include "model/network/attention_positions.h"
#include "model/network/feed_forward.h"
#include "model/network/multi_head_attention.h"
#include "model/network/norm.h"
#include "model/network/pass.h"
#include "model/network/row_cache.h"
#include "model/network/sublayer.h"

#include <optional>

namespace headscope::network {

/// Keys and values of the tokens fed so far, [heads, tokens, d_k] each.
struct KeyValueCache {
    RowCache k;
    RowCache v;

    std::int64_t length() const { return k.length(); }
    void truncate(std::int64_t length) {
        k.truncate(length);
        v.truncate(length);
    }
    void append(const KeysValues& rows) {
        k.append(rows.k);
        v.append(rows.v);
    }
    KeysValues all() const { return {.k = k.all(), .v = v.all()}; }
};

/// Masked self-attention, cross-attention unless the decoder stands alone, feed-forward (Vaswani et al. 2017,
/// section 3.1).
class DecoderLayer {
  public:
    DecoderLayer(ParameterList& list, const NetworkConfig& config, int layer);

    /// Returns the keys and values of cross-attention for the encoder output [S, d_model]; the same for every
    /// target token. Undefined tensors without cross-attention.
    KeysValues memory(const at::Tensor& encoderOutput) const {
        return crossAttention_ ? crossAttention_->keysValues(encoderOutput) : KeysValues();
    }

    /// x [n, d_model] are the next n tokens. Their keys, rotated if the scheme rotates, and values are
    /// appended to `fed`. `positions` apply to self-attention only.
    /// selfMask [n, fed + n], crossMask [n, S] bool -> [n, d_model]
    at::Tensor forward(at::Tensor x, KeyValueCache& fed, const AttentionMask& selfMask,
                       const AttentionPositions& positions, const KeysValues& memory,
                       const AttentionMask& crossMask, const Pass& pass) const;

    AttentionModule self() const { return {selfAttention_, aroundSelf_, pointerTo(afterSelf_)}; }
    /// Requires cross-attention; throws std::bad_optional_access.
    AttentionModule cross() const {
        return {crossAttention_.value(), aroundCross_.value(), pointerTo(afterCross_)};
    }
    const Norm& feedForwardNorm() const { return aroundFeedForward_; }

  private:
    int layer_;
    NormScheme scheme_;
    // The order is that of the parameters.
    MultiHeadAttention selfAttention_;
    std::optional<MultiHeadAttention> crossAttention_;
    FeedForward feedForward_;
    Norm aroundSelf_;
    std::optional<Norm> aroundCross_;
    Norm aroundFeedForward_;
    std::optional<Norm> afterSelf_;
    std::optional<Norm> afterCross_;
    std::optional<Norm> afterFeedForward_;
};

} // namespace headscope::network
