#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headscope::analysis {

/// The weights of one row of a head, compared with the knock-out losses of its keys (trace::CausalRow).
struct WeightsAndCause {
    std::size_t allowedKeys = 0;       ///< number of keys compared: allowed, with a known loss
    std::size_t largestWeight = 0;     ///< key with the largest weight
    std::size_t largestDrop = 0;       ///< key with the largest loss
    double weight = 0;                 ///< largest weight
    double drop = 0;                   ///< largest loss
    double largestChange = 0;          ///< largest magnitude of a loss or gain
    std::optional<double> correlation; ///< Spearman, weights and losses; empty for fewer than three keys

    /// Smaller changes of a log-probability round to zero in the third decimal.
    static constexpr double least = 0.0005;
    /// Whether any key matters; otherwise ranking the losses is meaningless.
    bool anyMatters() const { return largestChange >= least; }
    /// Rank correlation below 0.3 over more than five keys; conventions of this program.
    bool disagree() const { return allowedKeys > 5 && anyMatters() && correlation && *correlation < 0.3; }
};

/// Compares the keys that are allowed and have a finite loss in `drops`; empty if there are none. The
/// arguments must have the same size.
std::optional<WeightsAndCause> compareWithCause(std::span<const float> weights,
                                                std::span<const std::uint8_t> open,
                                                std::span<const double> drops);

} // namespace headscope::analysis
