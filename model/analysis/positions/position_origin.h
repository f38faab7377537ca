#pragma once

#include "model/analysis/positions/sinusoid_pairs.h"
#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// What a table of positional vectors is, measured from its first rows.
struct PositionOrigin {
    enum class Kind {
        Learned,   ///< its dimensions do not turn in pairs
        Sinusoids, ///< they do, but not with the wavelengths 2 pi base^(2m/D) of any one base
        Formula,   ///< those of Vaswani et al. 2017, section 3.5
    };
    Kind kind = Kind::Learned;
    double base = 0;       ///< of the formula
    double difference = 0; ///< from the formula's table, the largest
};

/// More positions are not looked at.
inline constexpr std::size_t mostOriginPositions = 512;

PositionOrigin positionOrigin(trace::MatrixView table);

/// Where the lengths of a table's rows change for good, as they do where training ended: the split into two
/// parts whose mean lengths differ most for what they vary. Nothing where the larger mean is not half as
/// large again as the other.
struct LengthJump {
    std::size_t row = 0; ///< the first of the second part
    double before = 0;   ///< mean lengths
    double after = 0;
};
std::optional<LengthJump> lengthJump(trace::MatrixView table);

} // namespace headscope::analysis
