#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/token.h"

#include <cstddef>
#include <vector>

namespace headscope::analysis {

/// Distribution of one head's scores over the allowed cells; masked scores never reach the softmax.
struct ScoreDistribution {
    std::vector<double> shares;   ///< share of the allowed cells in each bin; they sum to 1
    std::size_t cells = 0;        ///< number of allowed cells
    double standardDeviation = 0; ///< of the scores
};

/// Two distributions of a head over the same bins, from the lowest to the highest score of both.
struct ScoreComparison {
    double lowest = 0;
    double highest = 0;
    ScoreDistribution before;
    ScoreDistribution after;
};

/// Padding rows do not count; `queries` are the input tokens of the rows. Empty (no cells) if a record has no
/// such head, no allowed cell, or scores that are not finite.
ScoreComparison compareScores(const trace::AttentionRecord& before, const trace::AttentionRecord& after,
                              std::size_t head, std::size_t bins, const std::vector<trace::Token>& queries);

} // namespace headscope::analysis
