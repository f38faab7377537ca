#pragma once

#include "model/trace/attention_site.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headscope::network {

class SiteChanges;
struct ScoreBias;

/// What one attention sublayer computed. `q` has one row a query; `k` and `v` one a key.
struct AttentionReport {
    trace::AttentionSite site;
    const at::Tensor& mask;      ///< [queries, keys] bool, true = may attend
    const at::Tensor& scores;    ///< [heads, queries, keys] scaled, before the mask; undefined if left out
    const at::Tensor& weights;   ///< [heads, queries, keys]; undefined if left out
    const at::Tensor& q;         ///< [heads, queries, d_k]
    const at::Tensor& k;         ///< [heads, keys, d_k]
    const at::Tensor& v;         ///< [heads, keys, d_k]
    const at::Tensor& outputs;   ///< [heads, queries, d_k] weights x v, before the output projection
    const ScoreBias& bias;       ///< in the scores
    const SiteChanges* changes;  ///< null: none
    std::int64_t firstQuery = 0; ///< its place in the sequence
    double scale = 1;            ///< of q k^T
    double closedScore = 0;      ///< what stands for a closed cell's score in the softmax
};

/// Some rows of a map that is left out of its report, while they are there.
struct AttentionRows {
    const at::Tensor& mask;    ///< [some queries, keys] bool
    const at::Tensor& weights; ///< [heads, some queries, keys]
};

enum class Stack { Encoder, Decoder };

/// Told what the network computes while it computes it. It only observes: what it is handed is what the
/// network goes on with. Throwing out of it ends the pass.
class ForwardObserver {
  public:
    virtual ~ForwardObserver() = default;
    virtual void attention(const AttentionReport& report) = 0;
    /// Before the report of a map that is left out, once for each part of its rows.
    virtual void attentionRows(const AttentionRows&) {}
    /// Again and again in a long pass, so that it can be ended soon.
    virtual void report() {}
    /// The stream after the embedding (sublayer 0) and after each sublayer, [rows, d_model].
    virtual void residual(Stack stack, int sublayer, const at::Tensor& x) = 0;
    /// What a sublayer adds, before its factor, the sum and any norm, [rows, d_model].
    virtual void added(const at::Tensor&) {}
    /// What a feed-forward's units are given, before the activation, [rows, d_ff].
    virtual void units(const at::Tensor&) {}
};

} // namespace headscope::network
