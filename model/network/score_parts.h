#pragma once

#include "model/network/sublayer.h"
#include "model/network/token_embedding.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

namespace headscope::network {

/// Queries and keys of a first self-attention layer as a sum of what the word vectors, the positional vectors
/// and biases alone give (trace::ScorePart, in its order): with the norms on the way frozen at what they were
/// given, all of it is linear. [heads, n, d_k] each.
struct ScoreParts {
    std::array<at::Tensor, 3> q;
    std::array<at::Tensor, 3> k;
};

/// ids [n] int64; `positions` [n, d_model] is what was added to their word vectors.
ScoreParts scoreParts(const TokenEmbedding& embedding, const AttentionModule& first, NormScheme scheme,
                      const at::Tensor& ids, const at::Tensor& positions);

} // namespace headscope::network
