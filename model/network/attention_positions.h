#pragma once

#include "model/network/network_config.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"
#include "model/trace/relative_buckets.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace headscope::network {

class StackPositions;

/// What is added to scaled scores by the places of query and key.
struct ScoreBias {
    const StackPositions* of = nullptr; ///< null: nothing is added
    at::Tensor queries;                 ///< their places, [queries] int64; -1: nowhere
    at::Tensor keys;                    ///< [keys] int64
    double factor = 1;
    at::Tensor whole; ///< [heads, queries, keys]; undefined where the map is left out

    bool defined() const { return of != nullptr; }
    /// Of queries first ... first + n - 1, [heads, n, keys].
    at::Tensor rows(std::int64_t first, std::int64_t n) const;
};

/// What positions do inside the self-attention of a stack. Made once for a pass, because every layer asks the
/// same of it.
struct AttentionPositions {
    ScoreBias bias;
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
    const trace::RelativeBuckets& buckets() const { return buckets_; }
    /// [buckets, heads]; undefined where there is none.
    const at::Tensor& table() const { return table_; }
    /// [d_k / 2] radians a position; undefined where nothing is turned.
    const at::Tensor& frequencies() const { return frequencies_; }

    /// Where n tokens from `first` on stand, [n] int64; -1: nowhere.
    static at::Tensor places(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass);

  private:
    trace::RelativeBuckets buckets_;
    at::Tensor table_;
    at::Tensor frequencies_;
};

} // namespace headscope::network
