#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headscope::analysis {

/// The weights of one row of a head, compared with the contributions of its keys.
struct WeightsAndEffect {
    std::size_t largestWeight = 0; ///< key with the largest weight
    std::size_t largestShare = 0;  ///< key with the largest share of the norms
    double weight = 0;             ///< largest weight
    double weightOfShare = 0;      ///< weight of the key `largestShare`
    double share = 0;              ///< largest share
    double shareOfWeight = 0;      ///< share of the key `largestWeight`
    double divergence = 0;         ///< Jensen-Shannon divergence of weights and shares, 0 to 1 bit

    /// The largest keys differ and the divergence exceeds 0.1 bits; a convention of this program.
    bool disagree() const { return largestWeight != largestShare && divergence > 0.1; }
};

/// `lengths` is the norm-weighted attention of the same row; masked keys do not count. Empty if no norm is
/// above 0 or a value is not finite. The arguments must have the same size.
std::optional<WeightsAndEffect> compareWithEffect(std::span<const float> weights,
                                                  std::span<const float> lengths,
                                                  std::span<const std::uint8_t> open);

} // namespace headscope::analysis
