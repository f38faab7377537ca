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

/// `words` [n, width] are word vectors (TokenEmbedding::words()), `positions` the vectors added to them.
ScoreParts scoreParts(const TokenEmbedding& embedding, const AttentionModule& first, NormScheme scheme,
                      const at::Tensor& words, const at::Tensor& positions);

} // namespace headscope::network
