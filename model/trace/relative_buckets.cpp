#include "model/trace/relative_buckets.h"

#include <algorithm>
#include <cmath>

namespace headscope::trace {

std::int64_t RelativeBuckets::of(std::int64_t offset) const {
    const int count = bothWays ? buckets / 2 : buckets;
    const std::int64_t first = bothWays && offset > 0 ? count : 0;
    const std::int64_t away = bothWays ? std::abs(offset) : std::max<std::int64_t>(0, -offset);
    if (distance == 0)
        return std::min<std::int64_t>(first + away, first + count - 1);
    const int exact = count / 2;
    if (away < exact)
        return first + away;
    const float part = std::log(static_cast<float>(away) / static_cast<float>(exact)) /
                       static_cast<float>(std::log(static_cast<double>(distance) / exact));
    const auto beyond = static_cast<std::int64_t>(part * static_cast<float>(count - exact));
    return first + std::min<std::int64_t>(exact + beyond, count - 1);
}

} // namespace headscope::trace
