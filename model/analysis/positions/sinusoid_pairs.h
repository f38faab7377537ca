#pragma once

#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Two dimensions of a positional table that rotate together: amplitude * (sin, cos)(frequency * position +
/// phase).
struct SinusoidPair {
    std::size_t sine = 0;
    std::size_t cosine = 0;
    double frequency = 0; ///< radians per position, above 0 and at most pi
    double amplitude = 0;
};

/// Positions of the pairs in the vector: (0, 1), (2, 3), ... or (0, D/2), (1, D/2 + 1), ...
enum class PairLayout { Interleaved, Halves };

struct Sinusoids {
    PairLayout layout = PairLayout::Interleaved;
    std::vector<SinusoidPair> pairs; ///< [D / 2]
};

/// Detects sinusoids from the numbers in `table` [positions, D]: every pair has a constant sin^2 + cos^2 and
/// rotates by a constant angle per position. Empty if a pair does not, D is odd, or the table has fewer than
/// four positions.
std::optional<Sinusoids> findSinusoids(trace::MatrixView table);

/// Returns M_k, [D, D], for k = `offset`, with PE(pos + k) = M_k PE(pos): a rotation of each pair by k times
/// its frequency, so that M_k M_l = M_(k+l) (Vaswani et al. 2017, section 3.5). `offset` may be negative.
trace::BasicMatrix<double> shiftMatrix(const Sinusoids& sinusoids, int offset);

} // namespace headscope::analysis
