#pragma once

#include "model/analysis/positions/sinusoid_pairs.h"
#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// After how many positions a dimension comes back to where it was.
struct Wavelength {
    double positions = 0;
    double share = 1; ///< of the dimension's variance over the positions looked at
    friend bool operator==(const Wavelength&, const Wavelength&) = default;
};

struct PositionalWavelengths {
    std::optional<PairLayout> layout;                  ///< of a sinusoidal table
    std::size_t positions = 0;                         ///< looked at, from position 0 on
    std::vector<std::optional<Wavelength>> dimensions; ///< nothing for a constant dimension
};

/// More positions are not looked at: the time grows with the square of their number.
inline constexpr std::size_t mostMeasuredPositions = 512;

/// Measured from `table` [positions, d_model]. Of sinusoids 2 pi / frequency, however long. Of other tables
/// the period with the largest share of the dimension's variance, by a discrete Fourier transform: one of
/// n, n/2, n/3, ... 2 for n positions.
PositionalWavelengths positionalWavelengths(trace::MatrixView table);

} // namespace headscope::analysis
