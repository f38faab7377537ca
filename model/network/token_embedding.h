#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/parameters.h"

#include <optional>
#include <string>

namespace headscope::network {

/// Token ids to the vectors a stack starts from: embedding times scale, plus the position's vector
/// (Vaswani et al. 2017, sections 3.4 and 3.5).
class TokenEmbedding {
  public:
    /// `weight` [vocabulary, d_model], `positions` [positions, d_model] or undefined.
    TokenEmbedding(at::Tensor weight, at::Tensor positions, std::optional<Norm> norm, double scale);

    /// ids [n] int64, standing at positions first, first + 1, ..., or at `places` [n] where these are defined
    /// (-1: nowhere) -> [n, d_model].
    at::Tensor operator()(const at::Tensor& ids, std::int64_t first, const at::Tensor& places = {}) const;

    /// Their scaled word vectors alone, [n, d_model].
    at::Tensor words(const at::Tensor& ids) const;
    /// What is added to n tokens at these positions, [n, d_model]; zero where there are none.
    at::Tensor positions(std::int64_t first, std::int64_t n, const at::Tensor& places = {}) const;
    const at::Tensor& weight() const { return weight_; }
    const at::Tensor& positionTable() const { return positions_; }
    /// Of word + position; nothing where there is none.
    const std::optional<Norm>& norm() const { return norm_; }

  private:
    at::Tensor weight_;
    at::Tensor positions_;
    std::optional<Norm> norm_;
    double scale_;
};

} // namespace headscope::network
