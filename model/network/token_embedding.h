#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/parameters.h"

#include <optional>
#include <string>

namespace headscope::network {

/// Converts token ids to the input vectors of a stack: embedding times scale, plus positional vector (Vaswani
/// et al. 2017, sections 3.4 and 3.5).
class TokenEmbedding {
  public:
    /// `weight` [vocabulary, d_model]; `positions` [positions, d_model] or undefined.
    TokenEmbedding(at::Tensor weight, at::Tensor positions, std::optional<Norm> norm, double scale);

    /// ids [n] int64 at positions first, first + 1, ..., or at `places` [n] if defined (-1: no position) ->
    /// [n, d_model].
    at::Tensor operator()(const at::Tensor& ids, std::int64_t first, const at::Tensor& places = {}) const;

    /// Returns the scaled word vectors without positions, [n, d_model].
    at::Tensor words(const at::Tensor& ids) const;
    /// Returns the positional vectors of n tokens, [n, d_model]; zero without positions.
    at::Tensor positions(std::int64_t first, std::int64_t n, const at::Tensor& places = {}) const;
    const at::Tensor& weight() const { return weight_; }
    const at::Tensor& positionTable() const { return positions_; }
    /// Norm of word + position; nullopt if there is none.
    const std::optional<Norm>& norm() const { return norm_; }

  private:
    at::Tensor weight_;
    at::Tensor positions_;
    std::optional<Norm> norm_;
    double scale_;
};

} // namespace headscope::network
