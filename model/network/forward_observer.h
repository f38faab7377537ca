#pragma once

#include "model/trace/attention_site.h"

#include <ATen/core/Tensor.h>

namespace headscope::network {

/// What one attention sublayer computed. `q` has one row a query; `k` and `v` one a key.
struct AttentionReport {
    trace::AttentionSite site;
    const at::Tensor& mask;    ///< [queries, keys] bool, true = may attend
    const at::Tensor& scores;  ///< [heads, queries, keys] scaled, before the mask
    const at::Tensor& weights; ///< [heads, queries, keys]
    const at::Tensor& q;       ///< [heads, queries, d_k]
    const at::Tensor& k;       ///< [heads, keys, d_k]
    const at::Tensor& v;       ///< [heads, keys, d_k]
    const at::Tensor& outputs; ///< [heads, queries, d_k] weights x v, before the output projection
};

enum class Stack { Encoder, Decoder };

/// Told what the network computes while it computes it. It only observes: what it is handed is what the
/// network goes on with. Throwing out of it ends the pass.
class ForwardObserver {
  public:
    virtual ~ForwardObserver() = default;
    virtual void attention(const AttentionReport& report) = 0;
    /// The stream after the embedding (sublayer 0) and after each sublayer, [rows, d_model].
    virtual void residual(Stack stack, int sublayer, const at::Tensor& x) = 0;
    /// What a sublayer adds, before its factor, the sum and any norm, [rows, d_model].
    virtual void added(const at::Tensor&) {}
    /// What a feed-forward's units are given, before the activation, [rows, d_ff].
    virtual void units(const at::Tensor&) {}
};

} // namespace headscope::network
