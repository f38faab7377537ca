#pragma once

#include "model/analysis/positions/sinusoid_pairs.h"
#include "model/trace/matrix.h"

#include <cstddef>
#include <optional>

namespace headscope::analysis {

/// The origin of a table of positional vectors, measured from its first rows.
struct PositionOrigin {
    enum class Kind {
        Learned,   ///< dimensions do not rotate in pairs
        Sinusoids, ///< pairs rotate, but their wavelengths are not 2 pi base^(2m/D) for any base
        Formula,   ///< sinusoids of Vaswani et al. 2017, section 3.5
    };
    Kind kind = Kind::Learned;
    double base = 0;       ///< of the formula
    double difference = 0; ///< largest difference from the formula's table
};

/// Further positions are ignored.
inline constexpr std::size_t mostOriginPositions = 512;

PositionOrigin positionOrigin(trace::MatrixView table);

/// A permanent change of the row norms of a position table, as occurs at the end of the trained positions:
/// the split into two parts with the largest variance between their mean norms.
struct LengthJump {
    std::size_t row = 0; ///< first row of the second part
    double before = 0;   ///< mean norm of each part
    double after = 0;
};
/// Empty if the larger mean is less than 1.5 times the smaller one.
std::optional<LengthJump> lengthJump(trace::MatrixView table);

} // namespace headscope::analysis
