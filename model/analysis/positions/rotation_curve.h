#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <vector>

namespace headscope::analysis {

/// The score of one query and one key as a function of how far apart they stand, where both are turned by
/// their place (Su et al. 2021, section 3.4.3).
struct RotationCurve {
    int own = 0;                ///< where they really stand: key's place - query's place
    double score = 0;           ///< what the model computed there
    int first = 0;              ///< the lowest distance
    std::vector<double> values; ///< [distances]
};

/// Each pair of dimensions, m and m + d_k/2, gives |q||k| cos(angle between them - (distance - own) times its
/// frequency), scaled. `run` has its projections recorded, with the places of its tokens as they stand.
/// Distances from -reach to reach. Empty values where there is no such cell, or nothing is turned.
RotationCurve rotationCurve(const trace::Run& run, const trace::HeadAddress& head, std::size_t query,
                            std::size_t key, int reach);

} // namespace headscope::analysis
