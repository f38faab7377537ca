#include "model/trace/head_importance.h"

#include <algorithm>
#include <numeric>

namespace headscope::trace {

double HeadEffect::total() const {
    return std::accumulate(importance.begin(), importance.end(), 0.0);
}

const HeadEffect* HeadImportance::effect(const HeadAddress& head) const {
    const auto found = std::find_if(effects.begin(), effects.end(),
                                    [&](const HeadEffect& effect) { return effect.head == head; });
    return found == effects.end() ? nullptr : &*found;
}

std::vector<double> RemovalCurve::of(std::optional<std::size_t> step) const {
    std::vector<double> points;
    for (const auto& tokensLeft : values)
        points.push_back(step ? double(tokensLeft.at(*step))
                              : std::accumulate(tokensLeft.begin(), tokensLeft.end(), 0.0));
    return points;
}

} // namespace headscope::trace
