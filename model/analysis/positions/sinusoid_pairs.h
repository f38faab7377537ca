#pragma once

#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Two dimensions of a positional table that turn together: amplitude * (sin, cos)(frequency * position +
/// phase).
struct SinusoidPair {
    std::size_t sine = 0;
    std::size_t cosine = 0;
    double frequency = 0; ///< radians a position, above 0 and at most pi
    double amplitude = 0;
};

/// How the pairs lie in the vector: (0, 1), (2, 3), ... or (0, D/2), (1, D/2 + 1), ...
enum class PairLayout { Interleaved, Halves };

struct Sinusoids {
    PairLayout layout = PairLayout::Interleaved;
    std::vector<SinusoidPair> pairs; ///< [D / 2]
};

/// Measured from the numbers of `table` [positions, D], not read from a formula: every pair keeps
/// sin^2 + cos^2 and turns by the same angle from each position to the next. Nothing where one pair does not,
/// where D is odd, or where fewer than four positions cannot tell.
std::optional<Sinusoids> findSinusoids(trace::MatrixView table);

/// M_k, [D, D], with PE(pos + k) = M_k PE(pos): a rotation of each pair by k times its frequency, so that
/// M_k M_l = M_(k+l) (Vaswani et al. 2017, section 3.5). `offset` may be negative.
trace::BasicMatrix<double> shiftMatrix(const Sinusoids& sinusoids, int offset);

} // namespace headscope::analysis
