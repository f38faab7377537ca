#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/token.h"

#include <cstddef>
#include <vector>

namespace headscope::analysis {

/// How one head's scores lie. Open cells only: what the mask closes never reaches the softmax.
struct ScoreDistribution {
    std::vector<double> shares;   ///< of the open cells in each bin; they sum to 1
    std::size_t cells = 0;        ///< that are open
    double standardDeviation = 0; ///< of the scores
};

/// Two distributions of a head over the same bins, from the lowest to the highest score of either.
struct ScoreComparison {
    double lowest = 0;
    double highest = 0;
    ScoreDistribution before;
    ScoreDistribution after;
};

/// Rows of padding do not count; `queries` are the tokens that were fed to the rows. Empty (no cells) where a
/// record has no such head, no open cell, or scores that are not finite.
ScoreComparison compareScores(const trace::AttentionRecord& before, const trace::AttentionRecord& after,
                              std::size_t head, std::size_t bins, const std::vector<trace::Token>& queries);

} // namespace headscope::analysis
