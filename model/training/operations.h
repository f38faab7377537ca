#pragma once

#include "model/network/network_config.h"
#include "model/training/flat_parameters.h"
#include "model/training/packed_sentences.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::training {

/// A computed value and, later, the gradient of the loss with respect to it.
struct Node {
    at::Tensor value;
    at::Tensor gradient;
};
using Value = std::shared_ptr<Node>;
inline Value node(at::Tensor value) {
    return std::make_shared<Node>(Node{.value = std::move(value), .gradient = {}});
}

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
    const PackedSentences& queries;
    const PackedSentences& keys;
    int heads = 0;
    int headWidth = 0;
    double scale = 1;
    bool causal = false;
    std::int64_t keyColumn = 0; ///< first column of the keys within `memory` of Operations::attend()
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

/// Operators of a training pass over packed tokens [n, ...]. Implementations remember what they need to
/// compute gradients. Dropout is part of the operators it can be fused with.
class Operations {
  public:
    virtual ~Operations() = default;

    virtual Value embed(const EmbeddingWeights& weights, const PackedSentences& tokens) = 0;
    virtual Value linear(const Value& x, const LinearWeights& weights) = 0;
    virtual Value norm(const Value& x, const NormWeights& weights) = 0;
    /// Activation with dropout. Consumes x.
    virtual Value activate(const Value& x, network::Activation activation) = 0;
    virtual Value dropped(const Value& x) = 0;
    /// Returns x + dropped(added). Consumes `added`.
    virtual Value addDropped(const Value& x, const Value& added) = 0;
    /// Attention. Queries [queries, heads * d_k] are the first columns of `q`; keys, then values, are in
    /// `memory` from `keyColumn` on. -> [queries, heads * d_k]. No other operator may read `q` and `memory`.
    virtual Value attend(const Value& q, const Value& memory, const AttentionShape& shape) = 0;
    /// Returns the maximum of each column over each sentence, [sentences, d_model].
    virtual Value maximum(const Value& x, const PackedSentences& tokens) = 0;
    /// Softmax cross-entropy of linear(x) against `wanted`, one per row. Also computes the gradients of all
    /// previous operators if requested.
    virtual LossSums loss(const Value& x, const LinearWeights& generator,
                          const std::vector<std::int64_t>& wanted, const LossOptions& options) = 0;
};

} // namespace headscope::training
