#pragma once

#include "model/network/sublayer.h"
#include "model/network/token_embedding.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

namespace headscope::network {

/// Queries and keys of a first self-attention layer as sums of the contributions of word vectors, positional
/// vectors and biases (trace::ScorePart, in its order). With the norms before them frozen, the split is
/// linear. [heads, n, d_k] each.
struct ScoreParts {
    std::array<at::Tensor, 3> q;
    std::array<at::Tensor, 3> k;
};

/// ids [n] int64; `positions` [n, d_model] are the vectors added to their word vectors.
ScoreParts scoreParts(const TokenEmbedding& embedding, const AttentionModule& first, NormScheme scheme,
                      const at::Tensor& ids, const at::Tensor& positions);

} // namespace headscope::network
