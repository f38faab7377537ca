#pragma once

#include "model/analysis/scores/softmax_temperature.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// How many rows of each of `heads` are looked at where all of them are too many to wait for; those that are
/// fewer have all of theirs looked at.
std::size_t rowsLookedAt(const trace::Run& run, const std::vector<trace::HeadAddress>& heads);

/// As openScores, of at most `count` rows that stand evenly among all: a long map is not computed whole.
/// Nothing where the run has no such head.
std::optional<OpenScores> openScoresOfRows(const trace::Run& run, const trace::HeadAddress& head,
                                           std::size_t count);

/// The rows of one head at a temperature. Of the rows that were looked at and have an entropy.
struct HeadAtTemperature {
    trace::HeadAddress head;
    std::size_t rows = 0;
    std::size_t allRows = 0; ///< that the head has, with padding
    double least = 0;        ///< entropy, bits
    double mean = 0;
    double most = 0;
    double even = 0; ///< mean entropy of rows spread evenly over their open keys
    double hard = 0; ///< mean weight of the key that hard attention looks at: 1 where soft is as hard
};

/// In order; heads without a row that has an entropy are left out. Takes time: throws trace::Cancelled.
std::vector<HeadAtTemperature> headsAtTemperature(const trace::Run& run,
                                                  const std::vector<trace::HeadAddress>& heads,
                                                  double temperature, const trace::Task& work = {});

/// The same heads' mean entropies over temperatures (entropyOverTemperature).
struct HeadCurve {
    trace::HeadAddress head;
    EntropyCurve curve;
};
std::vector<HeadCurve> headsOverTemperature(const trace::Run& run,
                                            const std::vector<trace::HeadAddress>& heads, std::size_t points,
                                            const trace::Task& work = {});

} // namespace headscope::analysis
