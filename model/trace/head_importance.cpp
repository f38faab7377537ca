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

} // namespace headscope::trace
