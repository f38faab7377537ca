#pragma once

#include "model/network/network_config.h"
#include "model/network/norm.h"
#include "model/network/parameters.h"
#include "model/network/pass.h"
#include "model/trace/relative_buckets.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>

namespace headscope::network {

class StackPositions;

/// Terms of scores that depend on what query and key contain, and on their distance (He et al. 2021, equation
/// 4): a query times the key of the distance, and a key times the query of the distance.
struct DistanceTerms {
    at::Tensor buckets; ///< [queries, keys] int64, of the distance from key to query; undefined: no terms
    at::Tensor queryTimesKeys;  ///< [heads, queries, buckets] scaled
    at::Tensor keyTimesQueries; ///< [heads, keys, buckets] scaled

    bool defined() const { return buckets.defined(); }
    /// Content of queries, position of keys, [heads, queries, keys].
    at::Tensor ofQueries() const;
    /// Position of queries, content of keys, [heads, queries, keys].
    at::Tensor ofKeys() const;
};

/// Bias added to scaled scores according to the positions of query and key.
struct ScoreBias {
    const StackPositions* of = nullptr; ///< null: no bias
    at::Tensor queries;                 ///< positions, [queries] int64; -1: no position
    at::Tensor keys;                    ///< positions, [keys] int64
    double factor = 1;
    at::Tensor whole;    ///< [heads, queries, keys]; undefined if the map is not stored
    DistanceTerms terms; ///< of DeBERTa, which `whole` is the sum of; `of` is null then

    bool defined() const { return of != nullptr || terms.defined(); }
    /// Returns the bias of queries first ... first + n - 1, [heads, n, keys].
    at::Tensor rows(std::int64_t first, std::int64_t n) const;
};

/// Effect of positions within the self-attention of a stack. Made once per pass, because every layer uses the
/// same.
struct AttentionPositions {
    ScoreBias bias;
    at::Tensor cosine; ///< [n, pairs] of the rotation angles of queries and keys; undefined: no rotation
    at::Tensor sine;
    bool interleaved = false; ///< as in Rotation
    at::Tensor distances;     ///< [buckets, d_model] vectors of distances; undefined: none
    at::Tensor buckets;       ///< [queries, keys] int64 rows of `distances`; undefined: no positions

    /// Rotates the pairs of dimensions of each row (Su et al. 2021, section 3.2.2); dimensions from 2 pairs
    /// on stay. x [heads, n, d_k] -> the same shape.
    at::Tensor turned(const at::Tensor& x) const;
};

/// Positions of one stack for schemes that apply them in self-attention. Has no effect for schemes that apply
/// them in the embeddings.
class StackPositions {
  public:
    enum class Sees { BothWays, Back };
    enum class Layers { Usual, Windowed };

    /// `stack` is "encoder" or "decoder".
    StackPositions(ParameterList& list, const std::string& stack, const NetworkConfig& config,
                   const StackConfig& stackConfig, Sees sees);

    /// Returns the positions of n tokens starting at `first` and of all keys up to them. `all` is the number
    /// of tokens that will be fed in total; 0: unknown.
    AttentionPositions of(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass,
                          Layers layers = Layers::Usual) const;

    /// Returns the bias for queries and keys at these positions (-1: no position), [heads, queries, keys];
    /// undefined if there is none.
    at::Tensor bias(const at::Tensor& queries, const at::Tensor& keys) const;
    const trace::RelativeBuckets& buckets() const { return buckets_; }
    /// [buckets, heads]; undefined if there is no bias.
    const at::Tensor& table() const { return table_; }
    /// [pairs] radians per position; undefined if there is no rotation.
    const at::Tensor& frequencies() const { return frequencies_; }

    /// Returns the positions of n tokens starting at `first`, [n] int64; -1: no position.
    static at::Tensor places(std::int64_t first, std::int64_t n, std::int64_t all, const Pass& pass);

  private:
    AttentionPositions disentangled(const at::Tensor& places) const;

    trace::RelativeBuckets buckets_;
    at::Tensor table_;
    at::Tensor distances_;             ///< [2 buckets, d_model]; undefined unless Disentangled
    std::optional<Norm> distanceNorm_; ///< of `distances_`
    at::Tensor frequencies_;
    double length_ = 1;            ///< multiplies rotated vectors
    bool interleaved_ = false;     ///< as in Rotation
    at::Tensor windowFrequencies_; ///< of windowed layers, which have no scaling; undefined: as the others
};

} // namespace headscope::network
