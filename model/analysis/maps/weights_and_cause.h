#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headscope::analysis {

/// One row of a head beside what its token loses when a key is closed (trace::CausalRow).
struct WeightsAndCause {
    std::size_t openKeys = 0;          ///< that can be closed, too: what is compared
    std::size_t largestWeight = 0;     ///< the key
    std::size_t largestDrop = 0;       ///< the key whose absence costs most
    double weight = 0;                 ///< the largest
    double drop = 0;                   ///< the largest
    double largestChange = 0;          ///< of all drops, up or down
    std::optional<double> correlation; ///< Spearman, of weights and drops; nothing for fewer than three keys

    /// What rounds to nothing in the third decimal of a log-probability.
    static constexpr double least = 0.0005;
    /// Ranks of less are ranks of nothing.
    bool anyMatters() const { return largestChange >= least; }
    /// They rank more than five keys differently: less than 0.3; conventions of this program.
    bool disagree() const { return openKeys > 5 && anyMatters() && correlation && *correlation < 0.3; }
};

/// Of the keys that are open and have a drop; nothing where there is none. The three are equally long.
std::optional<WeightsAndCause> compareWithCause(std::span<const float> weights,
                                                std::span<const std::uint8_t> open,
                                                std::span<const double> drops);

} // namespace headscope::analysis
