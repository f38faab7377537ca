#pragma once

#include "model/trace/attention_site.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headscope::network {

class SiteChanges;
struct ScoreBias;

/// Values computed by one attention sublayer. `q` has one row per query; `k` and `v` have one per key.
struct AttentionReport {
    trace::AttentionSite site;
    const at::Tensor& mask;      ///< [queries, keys] bool, true = allowed
    const at::Tensor& scores;    ///< [heads, queries, keys] scaled, before the mask; undefined if not stored
    const at::Tensor& weights;   ///< [heads, queries, keys]; undefined if not stored
    const at::Tensor& q;         ///< [heads, queries, d_k]
    const at::Tensor& k;         ///< [heads, keys, d_k]
    const at::Tensor& v;         ///< [heads, keys, d_k]
    const at::Tensor& outputs;   ///< [heads, queries, d_k] weights x v, before the output projection
    const ScoreBias& bias;       ///< included in the scores
    const SiteChanges* changes;  ///< null: none
    std::int64_t firstQuery = 0; ///< index of row 0 in the sequence
    double scale = 1;            ///< scale of q k^T
    double cap = 0;              ///< soft limit of scores; 0: none
    double closedScore = 0;      ///< score of masked cells in the softmax
};

/// Some rows of a map that is not stored, available only during the call.
struct AttentionRows {
    const at::Tensor& mask;    ///< [some queries, keys] bool
    const at::Tensor& weights; ///< [heads, some queries, keys]
};

/// Experts that a router chose for some rows, the largest weight first. Those of a long input are reported in
/// parts.
struct RouterReport {
    int layer = 0;
    const at::Tensor& experts; ///< [rows, used] int64
    const at::Tensor& weights; ///< [rows, used]
};

enum class Stack { Encoder, Decoder };

/// Receives the values of a pass while they are computed. Must not modify them: the network continues with
/// the same tensors. Throwing an exception ends the pass.
class ForwardObserver {
  public:
    virtual ~ForwardObserver() = default;
    virtual void attention(const AttentionReport& report) = 0;
    /// Called before attention() for a map that is not stored, once for each part of its rows.
    virtual void attentionRows(const AttentionRows&) {}
    /// Called repeatedly in a long pass, so that it can be ended soon.
    virtual void report() {}
    /// Residual stream after the embedding (sublayer 0) and after each sublayer, [rows, d_model].
    virtual void residual(Stack stack, int sublayer, const at::Tensor& x) = 0;
    /// Contribution of a sublayer, before its factor, the sum and any norm of the sum, [rows, d_model].
    virtual void added(const at::Tensor&) {}
    /// Called in the feed-forward sublayer of a layer with experts.
    virtual void routed(const RouterReport&) {}
    /// Input of the feed-forward units, before the activation, [rows, d_ff]; not called of experts.
    virtual void units(const at::Tensor&) {}
};

} // namespace headscope::network
