#pragma once

#include "model/network/attention_mask.h"
#include "model/network/attention_positions.h"
#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"

#include <optional>
#include <string>

namespace headscope::network {

/// Keys and values of all heads, each [heads, keys, d_k]. Heads that share keys and values have equal ones.
struct KeysValues {
    at::Tensor k;
    at::Tensor v;
};

/// Returns cap tanh(scores / cap), within -cap and cap (Gemma Team 2024, section 2); `scores` if cap is 0.
at::Tensor capped(const at::Tensor& scores, double cap);

/// Scaled dot-product attention in several heads (Vaswani et al. 2017, section 3.2, equation 1):
/// softmax(q k^T scale + mask) v, heads concatenated and projected.
class MultiHeadAttention {
  public:
    MultiHeadAttention(ParameterList& list, const std::string& role, const NetworkConfig& config,
                       const StackConfig& stack);

    at::Tensor queries(const at::Tensor& x) const;    // [n, d_model] -> [heads, n, d_k]
    KeysValues keysValues(const at::Tensor& x) const; // [n, d_model] -> [heads, n, d_k] each

    /// Queries, keys and values of the same input from a single product, for self-attention.
    struct Projections {
        at::Tensor q;
        KeysValues memory;
    };
    Projections project(const at::Tensor& x) const;
    /// Same without biases, so that the projections of parts sum to the projection of their sum. Requires
    /// that queries and keys have no norm.
    Projections projectLinearly(const at::Tensor& x) const;

    /// Scores by distance of self-attention, with the projections of queries and keys for distances, too (He
    /// et al. 2021, section 3.1); undefined if the positions have none.
    ScoreBias disentangled(const AttentionPositions& positions, const at::Tensor& q, const at::Tensor& k,
                           const Pass& pass) const;

    /// The caller names the site, because one module can serve two, and the index of its first query in the
    /// sequence. Maps that are not stored (Pass::longestMap) are computed some rows at a time.
    /// mask [queries, keys] -> [queries, d_model]
    at::Tensor attend(const at::Tensor& q, const KeysValues& memory, const AttentionMask& mask,
                      trace::AttentionSite site, std::int64_t firstQuery, const Pass& pass,
                      const ScoreBias& bias = {}) const;

    const Linear& output() const { return output_; } // weight [d_model, heads * d_k]

  private:
    /// Input of some rows of a map.
    struct Rows;
    /// Result of these rows.
    struct Attended {
        at::Tensor scores;  // [heads, some queries, keys]
        at::Tensor weights; // [heads, some queries, keys]
        at::Tensor outputs; // [heads, some queries, d_k]
    };
    Attended attendRows(const Rows& rows) const;
    Projections projections(const std::vector<at::Tensor>& projected) const; // of q, k and v
    at::Tensor divided(const at::Tensor& projected, std::int64_t heads) const;
    at::Tensor normedHeads(const std::optional<Norm>& norm, const at::Tensor& projected,
                           std::int64_t heads) const;
    KeysValues dividedKeysValues(const at::Tensor& k, const at::Tensor& v) const;

    std::int64_t heads_;
    std::int64_t sharedHeads_; // of keys and values
    std::int64_t headWidth_;
    double scoreScale_;
    double scoreCap_; // 0: none
    double maskFill_;
    Linear query_; // [heads * d_k, d_model]
    Linear key_;   // [shared heads * d_k, d_model]
    Linear value_;
    Linear output_;
    QueryKeyNorm queryKeyNorm_;
    std::optional<Norm> queryNorm_;
    std::optional<Norm> keyNorm_;
};

} // namespace headscope::network
