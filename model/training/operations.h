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

/// Something computed, and later the loss's gradient with respect to it.
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
    Slice bias;   ///< [out], or none
};

struct NormWeights {
    network::NormKind kind = network::NormKind::LayerNorm;
    double epsilon = 1e-5;
    Slice gain;
    Slice bias;
};

struct EmbeddingWeights {
    Slice weight;     ///< [vocabulary, d_model]
    Slice positions;  ///< [positions, d_model]; none: `table` has them, if any
    at::Tensor table; ///< of a formula, [positions, d_model], or undefined
    double scale = 1;
};

struct AttentionShape {
    const PackedSentences& queries;
    const PackedSentences& keys;
    int heads = 0;
    int headWidth = 0;
    double scale = 1;
    bool causal = false;
    std::int64_t keyColumn = 0; ///< of the first key's column in what keys and values are read from
};

struct LossOptions {
    double smoothing = 0;
    double factor = 1; ///< the sum of losses is multiplied by it before gradients are taken
};

/// Sums over what was answered.
struct LossSums {
    double smoothed = 0; ///< cross-entropy against the smoothed target, natural logarithm
    double plain = 0;    ///< against the wanted token alone
    std::size_t right = 0;
    std::size_t answers = 0;

    LossSums& operator+=(const LossSums& other);
};

/// The operators that a training pass is made of, over packed tokens [n, ...]. An implementation remembers
/// what it needs to compute gradients. Dropout is part of the operators it can be fused with.
class Operations {
  public:
    virtual ~Operations() = default;

    virtual Value embed(const EmbeddingWeights& weights, const PackedSentences& tokens) = 0;
    virtual Value linear(const Value& x, const LinearWeights& weights) = 0;
    virtual Value norm(const Value& x, const NormWeights& weights) = 0;
    /// The activation and its dropout; x is used up.
    virtual Value activate(const Value& x, network::Activation activation) = 0;
    virtual Value dropped(const Value& x) = 0;
    /// x + dropped(added); `added` is used up.
    virtual Value addDropped(const Value& x, const Value& added) = 0;
    /// q [queries, heads * d_k] are the first columns of `q`; keys, then values, stand in `memory` from
    /// `keyColumn` on -> [queries, heads * d_k]. Nothing else reads `q` and `memory`.
    virtual Value attend(const Value& q, const Value& memory, const AttentionShape& shape) = 0;
    /// The largest number of each column over each sentence, [sentences, d_model].
    virtual Value maximum(const Value& x, const PackedSentences& tokens) = 0;
    /// Softmax cross-entropy of linear(x) against `wanted`, one a row, and where gradients are wanted those
    /// of everything before.
    virtual LossSums loss(const Value& x, const LinearWeights& generator,
                          const std::vector<std::int64_t>& wanted, const LossOptions& options) = 0;
};

} // namespace headscope::training
