#pragma once

#include "model/trace/row_contributions.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// The contribution of one key of a head's row to the residual stream, compared with the other contributions
/// of the sublayer. All norms are Euclidean.
struct StreamAddition {
    std::vector<double> added; ///< [d_model] a W_O v of the key
    std::vector<double> head;  ///< [d_model] sum over all keys of the head
    std::size_t largest = 0;   ///< dimension of `added` with the largest magnitude

    double length = 0; ///< norm of `added`
    double lengthOfHead = 0;
    double lengthOfSublayer = 0; ///< all heads and the bias
    double lengthOfBias = 0;
    double lengthBefore = 0; ///< norm of the stream before the sublayer's output is added
    /// Share of the sublayer's output that is due to the key: <added, output> / |output|^2. The shares of all
    /// heads, keys and the bias sum to 1. Empty if the output is zero.
    std::optional<double> share;
    std::optional<double> shareOfHead;
    std::optional<double> shareOfBias;
    std::optional<double> cosine; ///< between `added` and the output; empty if one of them is zero
};

/// Empty if the row has no such key.
std::optional<StreamAddition> streamAddition(const trace::RowContributions& row, std::size_t key);

} // namespace headscope::analysis
