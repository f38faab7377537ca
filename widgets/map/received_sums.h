#pragma once

#include "widgets/map/shown_map.h"

#include <functional>
#include <vector>

namespace headscope::widgets {

/// Column totals, and the value of the longest bar.
struct Received {
    std::vector<double> sums; ///< per key
    double longest = 0;       ///< signed
};
/// Sums over all queries.
Received receivedOfAll(const ShownMap& shown);
/// Sums over the queries decoded so far in an animation. The longest bar is that of all frames: with signed
/// values, sums over some queries can be larger than those over all.
Received receivedSoFar(const ShownMap& shown, const std::function<bool(int query)>& hasQuery);

} // namespace headscope::widgets
