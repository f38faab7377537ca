#pragma once

#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// PE(pos + k) as a linear map M of PE(pos), and the quality of that fit.
struct PositionalShift {
    enum class Map {
        Rotation,   ///< exact, from the measured frequencies of a sinusoidal table; nothing is fitted
        Dimensions, ///< least squares over all dimensions
        Directions, ///< least squares over the table's leading directions, because there are too few pairs
        None,       ///< fewer pairs than a fit needs
    };
    Map map = Map::None;
    int offset = 1;             ///< k, at least 1
    std::size_t positions = 0;  ///< number of positions used, from position 0
    std::size_t fitted = 0;     ///< pairs (pos, pos + k) used for the fit: those with an even pos
    std::size_t heldOut = 0;    ///< held-out pairs: those with an odd pos; for a rotation all pairs
    std::size_t dimensions = 0; ///< of M
    double variance = 1;        ///< share of the vectors' squared norm in these dimensions
    /// M, [d_model, d_model]: rows are dimensions of PE(pos + k), columns those of PE(pos). With leading
    /// directions, M acts on these only. Empty if there is no map.
    trace::Matrix matrix;
    /// 1 - squared error / squared distance from the mean, over the held-out pairs; empty if there is no map
    /// or the held-out vectors are all equal.
    std::optional<double> rSquared;
    /// [positions - offset] |M PE(pos) - PE(pos + k)| / |PE(pos + k)|, including fitted positions.
    std::vector<double> error;
};

/// Further positions are ignored: time grows with their number times d_model squared.
inline constexpr std::size_t mostShiftedPositions = 512;

/// `table` is [positions, d_model]. Pairs with an even position are fitted, those with an odd position are
/// held out to measure the fit. With as many unknowns as pairs every fit would be perfect, so there are at
/// most half as many.
PositionalShift positionalShift(trace::MatrixView table, int offset);
/// The same, but always fitted, never a rotation.
PositionalShift fittedShift(trace::MatrixView table, int offset);

} // namespace headscope::analysis
