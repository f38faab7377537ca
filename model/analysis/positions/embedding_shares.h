#pragma once

#include "model/trace/run.h"

#include <vector>

namespace headscope::analysis {

/// What the first layer gets of a token is word + position. How much of it is which: <word, sum> / |sum|^2
/// and <position, sum> / |sum|^2, which add up to 1. One of them is negative where it points away from the
/// sum. NaN where the sum is 0.
struct EmbeddingShare {
    double word = 0;
    double position = 0;
    double wordLength = 0; ///< of the scaled word vector
    double positionLength = 0;
};

/// One a row of `sums` [tokens, d_model], which is word + position; `positions` has the same shape.
std::vector<EmbeddingShare> embeddingShares(trace::MatrixView sums, trace::MatrixView positions);

/// What the first layer gets, which is word + position, and the position in it; both [tokens, d_model].
struct EmbeddingSums {
    trace::Matrix sums;
    trace::Matrix positions;
};

/// Of a run that recorded its residual stream; empty where it did not, or where no positions were added.
EmbeddingSums sourceEmbedding(const trace::Run& run);
/// A row a token of the shown path that was fed.
EmbeddingSums targetEmbedding(const trace::Run& run);
std::vector<EmbeddingShare> embeddingShares(const EmbeddingSums& embedding);

} // namespace headscope::analysis
