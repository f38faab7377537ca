#pragma once

#include "model/trace/row_contributions.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// What one key of a head's row adds to the residual stream, beside what else is added there. Lengths are
/// Euclidean.
struct StreamAddition {
    std::vector<double> added; ///< [d_model] a W_O v of the key
    std::vector<double> head;  ///< [d_model] the sum of the head's keys
    std::size_t largest = 0;   ///< the dimension in which the key adds most, up or down

    double length = 0; ///< of `added`
    double lengthOfHead = 0;
    double lengthOfSublayer = 0; ///< all heads and the bias
    double lengthOfBias = 0;
    double lengthBefore = 0; ///< the stream that the sublayer's output is added to
    /// How much of the sublayer's output lies in the key's addition: their product over the output's squared
    /// length. The shares of all heads, keys and the bias sum to 1. Nothing where the output is zero.
    std::optional<double> share;
    std::optional<double> shareOfHead;
    std::optional<double> shareOfBias;
    std::optional<double> cosine; ///< of the key's addition and the output; nothing where one is zero
};

/// Nothing where the row has no such key.
std::optional<StreamAddition> streamAddition(const trace::RowContributions& row, std::size_t key);

} // namespace headscope::analysis
