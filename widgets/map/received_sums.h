#pragma once

#include "widgets/map/shown_map.h"

#include <functional>
#include <vector>

namespace headscope::widgets {

/// What each key receives in all, and what the longest bar stands for.
struct Received {
    std::vector<double> sums; ///< a key
    double longest = 0;       ///< below zero where that one is
};
/// Of all queries.
Received receivedOfAll(const ShownMap& shown);
/// Of the queries that an animation has come to. The longest is that of all its frames: numbers of both signs
/// can be more together after some of them than after all.
Received receivedSoFar(const ShownMap& shown, const std::function<bool(int query)>& hasQuery);

} // namespace headscope::widgets
