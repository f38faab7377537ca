#pragma once

#include "model/analysis/scores/softmax_temperature.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Returns the maximum number of rows per head to use, so that the computation for all `heads` stays fast.
std::size_t rowsLookedAt(const trace::Run& run, const std::vector<trace::HeadAddress>& heads);

/// openScores() for at most `count` evenly spaced rows, so that long maps are not recomputed as a whole.
/// Empty if the run has no such head.
std::optional<OpenScores> openScoresOfRows(const trace::Run& run, const trace::HeadAddress& head,
                                           std::size_t count);

/// Entropy of one head at a temperature, over the rows used that have an entropy.
struct HeadAtTemperature {
    trace::HeadAddress head;
    std::size_t rows = 0;
    std::size_t allRows = 0; ///< all rows of the head, including padding
    double least = 0;        ///< entropy, bits
    double mean = 0;
    double most = 0;
    double even = 0; ///< mean entropy of uniform attention over the same allowed keys
    double hard = 0; ///< mean weight of the key chosen by hard attention; 1: soft attention is as hard
};

/// In the order of `heads`, without those that have no row with an entropy. Slow: throws trace::Cancelled.
std::vector<HeadAtTemperature> headsAtTemperature(const trace::Run& run,
                                                  const std::vector<trace::HeadAddress>& heads,
                                                  double temperature, const trace::Task& work = {});

/// Mean entropy of a head over temperatures (entropyOverTemperature()).
struct HeadCurve {
    trace::HeadAddress head;
    EntropyCurve curve;
};
std::vector<HeadCurve> headsOverTemperature(const trace::Run& run,
                                            const std::vector<trace::HeadAddress>& heads, std::size_t points,
                                            const trace::Task& work = {});

} // namespace headscope::analysis
