#pragma once

#include <cstdint>

namespace headscope::trace {

/// Which distances share one learned number (Raffel et al. 2020, section 2.1).
struct RelativeBuckets {
    int buckets = 32;
    int distance = 128;   ///< from here on all are in the last bucket
    bool bothWays = true; ///< half of the buckets for keys after the query; else those are in bucket 0

    /// Of `offset` = key's place - query's place: near distances have a bucket each, farther ones share one
    /// on a logarithmic scale, computed in single precision as T5's own code does.
    std::int64_t of(std::int64_t offset) const;
};

} // namespace headscope::trace
