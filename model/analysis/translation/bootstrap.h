#pragma once

#include <cstdint>
#include <vector>

namespace headscope::analysis {

/// A mean with the interval that 95 % of resampled corpora fall into.
struct MeanInterval {
    double mean = 0;
    double low = 0;
    double high = 0;
};

/// Of sum(sums) / sum(counts), resampling whole entries (sentences: their tokens hang together). The same
/// seed gives the same interval on every machine. Both of the same length; counts above 0. Efron 1979,
/// percentile interval.
MeanInterval bootstrapMean(const std::vector<double>& sums, const std::vector<double>& counts,
                           std::uint64_t seed = 0);

} // namespace headscope::analysis
