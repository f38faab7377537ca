#pragma once

#include "model/trace/run.h"

#include <cstddef>

namespace headscope::analysis {

/// The factor of q k^T.
struct ScoreScale {
    double factor = 1;          ///< own or changed, divided by the temperature
    double temperature = 1;     ///< 1: none
    bool isInverseRoot = false; ///< without temperature it is 1/sqrt(d_k) (Vaswani et al. 2017, equation 1)
    bool isChanged = false;     ///< by hand, the temperature aside
};

/// What the run multiplied its q k^T by, `width` being d_k: the model's own factor, or what was put in its
/// place.
ScoreScale scoreScale(const trace::Run& run, std::size_t width);

} // namespace headscope::analysis
