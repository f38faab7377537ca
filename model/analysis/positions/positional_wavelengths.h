#pragma once

#include "model/analysis/positions/sinusoid_pairs.h"
#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// The period of a dimension in positions.
struct Wavelength {
    double positions = 0;
    double share = 1; ///< of the dimension's variance over the positions measured
    friend bool operator==(const Wavelength&, const Wavelength&) = default;
};

struct PositionalWavelengths {
    std::optional<PairLayout> layout;                  ///< for a sinusoidal table
    std::size_t positions = 0;                         ///< number of positions measured, from position 0
    std::vector<std::optional<Wavelength>> dimensions; ///< empty for a constant dimension
};

/// Further positions are ignored: time grows with the square of their number.
inline constexpr std::size_t mostMeasuredPositions = 512;

/// Measures the wavelengths of `table` [positions, d_model]. For sinusoids they are 2 pi / frequency and can
/// exceed the table. For other tables: the period with the largest share of the dimension's variance, by a
/// discrete Fourier transform, one of n, n/2, n/3, ... 2 for n positions.
PositionalWavelengths positionalWavelengths(trace::MatrixView table);

} // namespace headscope::analysis
