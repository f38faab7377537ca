#include "widgets/map/received_sums.h"

#include <cmath>
#include <cstddef>

namespace headscope::widgets {

namespace {

/// Returns the value with the larger magnitude.
double longerOf(double longest, const std::vector<double>& sums) {
    for (const double sum : sums)
        longest = std::abs(sum) > std::abs(longest) ? sum : longest;
    return longest;
}

} // namespace

Received receivedOfAll(const ShownMap& shown) {
    return {.sums = shown.received, .longest = longerOf(0, shown.received)};
}

Received receivedSoFar(const ShownMap& shown, const std::function<bool(int query)>& hasQuery) {
    Received received{.sums = std::vector<double>(shown.keys.spans.size())};
    auto sums = received.sums; // accumulated query by query
    for (std::size_t query = 0; query < shown.queries.spans.size(); ++query) {
        for (std::size_t key = 0; key < sums.size(); ++key) {
            const std::size_t row = shown.transposed ? key : query, column = shown.transposed ? query : key;
            const auto value = static_cast<double>(shown.values(row, column));
            if (shown.mask(row, column) != 0 && std::isfinite(value))
                sums[key] += value;
        }
        received.longest = longerOf(received.longest, sums);
        if (hasQuery(query))
            received.sums = sums;
    }
    return received;
}

} // namespace headscope::widgets
