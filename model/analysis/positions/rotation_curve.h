#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <vector>

namespace headscope::analysis {

/// The score of a query and a key as a function of their distance under rotary positions (Su et al. 2021,
/// section 3.4.3).
struct RotationCurve {
    int own = 0;                ///< actual distance: position of the key - position of the query
    double score = 0;           ///< score of the model at the actual distance
    int first = 0;              ///< lowest distance
    std::vector<double> values; ///< [distances] scores
};

/// Each pair of dimensions contributes |q||k| cos(angle between them - (distance - own) x
/// frequency), times the score scale. `run` must have recorded projections and unchanged positions. Distances
/// run from -reach to reach. `values` is empty if the cell does not exist or the model has no rotation.
RotationCurve rotationCurve(const trace::Run& run, const trace::HeadAddress& head, std::size_t query,
                            std::size_t key, int reach);

} // namespace headscope::analysis
