#pragma once

#include "model/trace/run.h"

#include <vector>

namespace headscope::analysis {

/// Shares of word and position in the input of the first layer, sum = word + position: <word, sum> / |sum|^2
/// and <position, sum> / |sum|^2, which add up to 1. A share is negative if its vector points away from the
/// sum. NaN if the sum is 0.
struct EmbeddingShare {
    double word = 0;
    double position = 0;
    double wordLength = 0; ///< norm of the scaled word vector
    double positionLength = 0;
};

/// Returns one share per row of `sums` [tokens, d_model]; `positions` has the same shape.
std::vector<EmbeddingShare> embeddingShares(trace::MatrixView sums, trace::MatrixView positions);

/// Input of the first layer, word + position, and its position part; both [tokens, d_model].
struct EmbeddingSums {
    trace::Matrix sums;
    trace::Matrix positions;
};

/// Empty if the run did not record its residual stream or no positions were added.
EmbeddingSums sourceEmbedding(const trace::Run& run);
/// The same for the target: one row per decoder input token of the shown path.
EmbeddingSums targetEmbedding(const trace::Run& run);
std::vector<EmbeddingShare> embeddingShares(const EmbeddingSums& embedding);

} // namespace headscope::analysis
