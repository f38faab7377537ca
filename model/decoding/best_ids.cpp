#include "model/decoding/best_ids.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::decoding {

std::vector<std::int64_t> bestIds(std::span<const float> values, std::size_t count) {
    if (count == 0)
        return {};
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    struct Entry {
        float value;
        std::size_t id;
    };
    // Few tokens reach the worst entry of the list, so most cost one comparison; sorting would need many.
    std::vector<Entry> best;
    count = std::min(count, values.size());
    best.reserve(count + 1);
    float toBeat = lowest; // used once there are `count` entries
    for (std::size_t id = 0; id < values.size(); ++id) {
        if (best.size() == count && !(values[id] > toBeat))
            continue;
        const float value = std::isnan(values[id]) ? lowest : values[id];
        const auto place = std::upper_bound(best.begin(), best.end(), value,
                                            [](float one, const Entry& other) { return one > other.value; });
        best.insert(place, {value, id});
        if (best.size() > count)
            best.pop_back();
        toBeat = best.back().value;
    }
    std::vector<std::int64_t> ids;
    ids.reserve(best.size());
    for (const auto& entry : best)
        ids.push_back(static_cast<std::int64_t>(entry.id));
    return ids;
}

std::int64_t rankOf(std::span<const float> values, std::int64_t id) {
    const float own = values[id];
    return std::ranges::count_if(values, [&](float other) { return other > own; });
}

} // namespace headscope::decoding
