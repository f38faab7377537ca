#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/parameters.h"

#include <optional>
#include <utility>

namespace headscope::network {

/// Tensors of an embedding whose vectors have `width` features; undefined tensors and empty options: none.
struct EmbeddingParts {
    at::Tensor words;              ///< [vocabulary, width or the input of `ofWords`], of any ParameterType
    std::optional<Linear> ofWords; ///< words -> width
    at::Tensor positions;          ///< [positions, width]
    at::Tensor segments;           ///< [segments, width]
    std::optional<Norm> norm;
    std::optional<Linear> projection; ///< width -> d_model
    double scale = 1;
};

/// Converts token ids to the input vectors of a stack: embedding times scale, plus positional vector (Vaswani
/// et al. 2017, sections 3.4 and 3.5), and plus the vector of the token's segment (Devlin et al. 2018,
/// section 3). A norm and a projection to d_model may follow.
class TokenEmbedding {
  public:
    explicit TokenEmbedding(EmbeddingParts parts) : parts_(std::move(parts)) {}

    /// ids [n] int64 at positions first, first + 1, ..., or at `places` [n] if defined (-1: no position), of
    /// `segments` [n] (undefined: all 0) -> [n, d_model].
    at::Tensor operator()(const at::Tensor& ids, std::int64_t first, const at::Tensor& places = {},
                          const at::Tensor& segments = {}) const;

    /// Returns the scaled word vectors and those of the segments, without positions, [n, width].
    at::Tensor words(const at::Tensor& ids, const at::Tensor& segments = {}) const;
    /// Returns the positional vectors of n tokens, [n, width]; zero without positions.
    at::Tensor positions(std::int64_t first, std::int64_t n, const at::Tensor& places = {}) const;
    /// Returns the reading of `sum` [n, width], word vectors plus positional vectors, that gives what
    /// `reading` of the input of the stack gives; the divisors of the norm are those of `sum`.
    LinearReading before(LinearReading reading, const at::Tensor& sum) const;
    const at::Tensor& weight() const { return parts_.words; }
    const at::Tensor& positionTable() const { return parts_.positions; }
    const at::Tensor& segmentTable() const { return parts_.segments; }
    /// Norm of the sum of all vectors; nullopt if there is none.
    const std::optional<Norm>& norm() const { return parts_.norm; }
    /// Projection of the norm's result; nullopt if there is none.
    const std::optional<Linear>& projection() const { return parts_.projection; }

  private:
    std::int64_t width() const {
        return parts_.ofWords ? parts_.ofWords->weight.size(0) : parts_.words.size(1);
    }

    EmbeddingParts parts_;
};

} // namespace headscope::network
