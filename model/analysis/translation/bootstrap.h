#pragma once

#include <cstdint>
#include <vector>

namespace headscope::analysis {

/// A mean with its 95 % bootstrap interval.
struct MeanInterval {
    double mean = 0;
    double low = 0;
    double high = 0;
};

/// Returns the percentile interval (Efron 1979) of sum(sums) / sum(counts). Entries are resampled as a whole,
/// because the tokens of a sentence are not independent. The same seed gives the same interval on every
/// machine. Both arguments have the same length; counts are above 0.
MeanInterval bootstrapMean(const std::vector<double>& sums, const std::vector<double>& counts,
                           std::uint64_t seed = 0);

} // namespace headscope::analysis
