#include "model/training/schedule.h"

#include <algorithm>
#include <cmath>

namespace headscope::training {

double Schedule::at(std::int64_t step) const {
    const auto now = static_cast<double>(step);
    const auto warm = static_cast<double>(std::max<std::int64_t>(1, warmUp));
    if (kind == ScheduleKind::Noam)
        return rate / std::sqrt(static_cast<double>(modelWidth)) *
               std::min(1 / std::sqrt(now), now * std::pow(warm, -1.5));
    if (now < warm)
        return rate * now / warm;
    switch (kind) {
    case ScheduleKind::Linear: {
        const double way = static_cast<double>(steps) - warm;
        const double left = way > 0 ? std::clamp((static_cast<double>(steps) - now) / way, 0.0, 1.0) : 0;
        return finalRate + (rate - finalRate) * left;
    }
    case ScheduleKind::InverseSquareRoot:
        return rate * std::sqrt(warm / now);
    case ScheduleKind::Constant:
    case ScheduleKind::Noam:
        break;
    }
    return rate;
}

} // namespace headscope::training
