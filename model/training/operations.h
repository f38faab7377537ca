#pragma once

#include "model/network/network_config.h"
#include "model/training/flat_parameters.h"
#include "model/training/sentence_rows.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace headscope::training {

struct LinearWeights {
    Slice weight; ///< [out, in]
    Slice bias;   ///< [out]; may be empty
};

struct NormWeights {
    network::NormKind kind = network::NormKind::LayerNorm;
    double epsilon = 1e-5;
    Slice gain;
    Slice bias;
};

struct EmbeddingWeights {
    Slice weight;     ///< [vocabulary, d_model]
    Slice positions;  ///< [positions, d_model]; empty: `table` is used, if defined
    at::Tensor table; ///< positions from a formula, [positions, d_model]; may be undefined
    double scale = 1;
};

struct AttentionShape {
    const SentenceRows& queries;
    const SentenceRows& keys;
    int heads = 0;
    int headWidth = 0;
    double scale = 1;
    bool causal = false;
};

struct LossOptions {
    double smoothing = 0;
    double factor = 1; ///< multiplies the sum of losses before gradients are computed
};

/// Sums over all predictions.
struct LossSums {
    double smoothed = 0; ///< cross-entropy against the smoothed target, natural logarithm
    double plain = 0;    ///< cross-entropy against the wanted token alone
    std::size_t right = 0;
    std::size_t answers = 0;

    LossSums& operator+=(const LossSums& other);
};

/// Determines all dropped elements: equal values drop equal elements, so that a resumed training repeats them
/// without saved state.
struct DropoutSource {
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    std::uint64_t part = 0; ///< part of the batch
    double probability = 0;
};

/// Operators of one training pass over tokens in rows, [rows * length, columns], on the calling thread. They
/// are LibTorch's, with its automatic differentiation. Loops of our own that fused them and recorded how to
/// compute their gradients took half as long, for 1,300 more lines.
class Operations {
  public:
    /// `parameters` and `gradients` are one row each, of the same shape; gradients are added. `gradients`
    /// undefined: only losses are computed. With `rounded` the factors of products are rounded to bfloat16.
    Operations(at::Tensor parameters, at::Tensor gradients, const DropoutSource& dropout,
               bool rounded = false);

    at::Tensor embed(const EmbeddingWeights& weights, const SentenceRows& tokens);
    at::Tensor linear(const at::Tensor& x, const LinearWeights& weights);
    at::Tensor norm(const at::Tensor& x, const NormWeights& weights);
    at::Tensor activate(const at::Tensor& x, network::Activation activation);
    /// Dropout (Srivastava et al. 2014).
    at::Tensor dropped(const at::Tensor& x);
    /// Attention of queries, keys and values: the columns of `projections`, one behind the other. Each is
    /// heads * d_k wide. -> [queries, heads * d_k]
    at::Tensor attend(const std::vector<at::Tensor>& projections, const AttentionShape& shape);
    /// Softmax cross-entropy of linear(x) against `wanted`, one per row, smoothed as in Szegedy et al. 2016,
    /// section 7. Also computes the gradients of all parameters that x was computed with if requested.
    LossSums loss(const at::Tensor& x, const LinearWeights& generator,
                  const std::vector<std::int64_t>& wanted, const LossOptions& options);

  private:
    bool differentiates() const { return gradients_.defined(); }
    /// Returns a parameter whose gradient is its part of `gradients`.
    at::Tensor parameter(const Slice& slice);
    /// [rows * heads, queries, keys] 0 where a query may look, else -infinity.
    const at::Tensor& mask(const AttentionShape& shape);

    at::Tensor parameters_;
    at::Tensor gradients_;
    double dropout_;
    bool rounded_;
    at::Generator random_;
    std::map<std::pair<std::int64_t, std::int64_t>, at::Tensor> leaves_; ///< by begin and size of their slice
    std::map<std::tuple<const SentenceRows*, const SentenceRows*, bool>, at::Tensor> masks_;
};

} // namespace headscope::training
