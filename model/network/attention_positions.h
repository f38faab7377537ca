#pragma once

#include "model/network/network_config.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"
#include "model/network/relative_buckets.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace headscope::network {

/// What positions do inside the self-attention of a stack. Made once for a pass, because every layer asks the
/// same of it.
struct AttentionPositions {
    at::Tensor bias;   ///< [heads, queries, keys] added to the scores; undefined: none
    at::Tensor cosine; ///< [n, d_k / 2] of the angles that queries and keys are turned by; undefined: none
    at::Tensor sine;

    /// Turns dimensions m and m + d_k / 2 of each row as a pair (Su et al. 2021, section 3.2.2; which two
    /// make a pair is as in Llama). x [heads, n, d_k] -> the same shape.
    at::Tensor turned(const at::Tensor& x) const;
};

/// The positions of one stack, where they stand in its attention and not in its embeddings. Without any of
/// them for other schemes.
class StackPositions {
  public:
    enum class Sees { BothWays, Back };

    /// `stack` is "encoder" or "decoder".
    StackPositions(ParameterList& list, const std::string& stack, const NetworkConfig& config, int heads,
                   Sees sees);

    /// Of n tokens from `first` on, of which `all` will be fed (0: not known), and the keys up to them.
    AttentionPositions of(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass) const;

    /// What is added to the scores of the queries and keys at these places (-1: nowhere), [heads, queries,
    /// keys]; undefined where nothing is.
    at::Tensor bias(const at::Tensor& queries, const at::Tensor& keys) const;
    const RelativeBuckets& buckets() const { return buckets_; }
    /// [d_k / 2] radians a position; undefined where nothing is turned.
    const at::Tensor& frequencies() const { return frequencies_; }

    /// Where n tokens from `first` on stand, [n] int64; -1: nowhere.
    static at::Tensor places(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass);

  private:
    RelativeBuckets buckets_;
    at::Tensor table_; ///< [buckets, heads]; undefined where there is none
    at::Tensor frequencies_;
};

} // namespace headscope::network
