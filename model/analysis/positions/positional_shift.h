#pragma once

#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// PE(pos + k) as a linear map M of PE(pos), and how well that holds.
struct PositionalShift {
    enum class Map {
        Rotation,   ///< exactly, from the measured frequencies of a sinusoidal table; nothing is fitted
        Dimensions, ///< least squares over all dimensions
        Directions, ///< least squares over the table's leading directions, for want of pairs
        None,       ///< fewer pairs than a fit needs
    };
    Map map = Map::None;
    int offset = 1;             ///< k, at least 1
    std::size_t positions = 0;  ///< looked at, from position 0 on
    std::size_t fitted = 0;     ///< pairs (pos, pos + k) with an even pos, which the fit knows
    std::size_t heldOut = 0;    ///< pairs it does not know: those with an odd pos; all, of a rotation
    std::size_t dimensions = 0; ///< of M
    double variance = 1;        ///< share of the vectors' squared length that these dimensions hold
    /// M, [d_model, d_model]: a row for each dimension of PE(pos + k), a column for each of PE(pos). Of
    /// leading directions it is the map that looks at nothing else. Empty where there is none.
    trace::Matrix matrix;
    /// 1 - squared error / squared distance from the mean, over the held-out pairs; nothing where there is no
    /// map, or where the held-out vectors do not differ.
    std::optional<double> rSquared;
    /// [positions - offset] |M PE(pos) - PE(pos + k)| / |PE(pos + k)|, of fitted positions too.
    std::vector<double> error;
};

/// More positions are not looked at: the time grows with their number times d_model squared.
inline constexpr std::size_t mostShiftedPositions = 512;

/// Of `table` [positions, d_model]. The pairs with an even position are fitted and those with an odd one
/// judge the fit: with as many unknowns as pairs every fit is perfect, so it never has more than half as
/// many.
PositionalShift positionalShift(trace::MatrixView table, int offset);
/// The same as if nothing were known of a table's wavelengths: never a rotation.
PositionalShift fittedShift(trace::MatrixView table, int offset);

} // namespace headscope::analysis
