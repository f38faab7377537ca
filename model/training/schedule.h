#pragma once

#include <cstdint>

namespace headscope::training {

enum class ScheduleKind {
    Constant,
    Linear,            ///< linear decrease to `finalRate` at the last step
    InverseSquareRoot, ///< rate * sqrt(warmUp / step)
    Noam, ///< rate * d_model^-1/2 * min(step^-1/2, step * warmUp^-3/2), Vaswani et al. 2017, equation 3
};

/// Learning rate per step, from 1. All kinds except Noam rise linearly to `rate` over `warmUp` steps.
struct Schedule {
    ScheduleKind kind = ScheduleKind::InverseSquareRoot;
    double rate = 1e-3;
    double finalRate = 0;
    std::int64_t warmUp = 1000;
    std::int64_t steps = 10'000;
    std::int64_t modelWidth = 256;

    double at(std::int64_t step) const;
};

} // namespace headscope::training
