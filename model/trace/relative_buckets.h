#pragma once

#include <cstdint>

namespace headscope::trace {

/// Maps distances to buckets that share one value (Raffel et al. 2020, section 2.1).
struct RelativeBuckets {
    int buckets = 32;
    int distance = 128;   ///< distances from here on are in the last bucket; 0: each has a bucket of its own
    bool bothWays = true; ///< half of the buckets are for keys after the query; else those are in bucket 0

    /// Returns the bucket of `offset` = key position - query position. Near distances have a bucket each;
    /// farther ones share buckets on a logarithmic scale, computed in single precision like T5's own code.
    std::int64_t of(std::int64_t offset) const;
    /// Returns a distance from which on all share a bucket.
    int reach() const { return distance > 0 ? distance + 8 : buckets - 1; }
};

} // namespace headscope::trace
