#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headscope::analysis {

/// One row of a head: what it looked at, and what came of it.
struct WeightsAndEffect {
    std::size_t largestWeight = 0; ///< the key of the largest weight
    std::size_t largestShare = 0;  ///< the key of the largest share of the lengths
    double weight = 0;             ///< the largest weight
    double weightOfShare = 0;      ///< of the key of the largest share
    double share = 0;              ///< the largest share
    double shareOfWeight = 0;      ///< of the key of the largest weight
    double divergence = 0;         ///< Jensen-Shannon, of weights and shares, bits: 0 to 1

    /// Different keys are on top and more than 0.1 bits lie between the two; a convention of this program.
    bool disagree() const { return largestWeight != largestShare && divergence > 0.1; }
};

/// `lengths`: the norm-weighted attention of the same row; closed keys do not count. Nothing where no length
/// is above 0 or something is not a number. The three are equally long.
std::optional<WeightsAndEffect> compareWithEffect(std::span<const float> weights,
                                                  std::span<const float> lengths,
                                                  std::span<const std::uint8_t> open);

} // namespace headscope::analysis
