#pragma once

#include "model/trace/head_importance.h"
#include "model/trace/question.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Number of random orders beside the order by importance, and the seed that they are drawn from.
inline constexpr std::size_t randomOrders = 12;
inline constexpr std::uint64_t randomOrdersSeed = 1;

/// Returns up to `steps` + 1 numbers of removed heads, from 0 to `heads`, evenly spaced.
std::vector<std::size_t> removedAt(std::size_t steps, std::size_t heads);

/// Returns what a removal curve is measured with: heads removed in the order of importance for one step or,
/// without `step`, for all tokens, the most important first; all heads one by one, if there are at most 100,
/// and else at 101 numbers of heads. `measured` must be complete.
trace::RemovalWhat byImportance(const trace::HeadImportance& measured, std::optional<std::size_t> step);
/// The same for the random orders, which are the same for every step.
std::vector<trace::RemovalWhat> atRandom(const trace::HeadImportance& measured);

/// Returns the same order measured only at the first few numbers of removed heads, up to 16, where a curve
/// says most: in a tenth of the time.
trace::RemovalWhat atFew(trace::RemovalWhat what);

/// A removal curve of one step or of the whole output, as far as it is known. Nats.
struct RemovalComparison {
    std::vector<trace::HeadAddress> order; ///< by importance; the first is removed first
    std::vector<std::size_t> removed;      ///< [points] number of removed heads
    std::vector<double> byImportance;      ///< [points]
    /// [points] Over the random orders that are known completely; none of them: empty.
    std::vector<double> mean, least, most;
    std::size_t draws = 0; ///< number of these orders
    friend bool operator==(const RemovalComparison&, const RemovalComparison&) = default;
};
/// `random` may contain null and incomplete curves, which are passed over.
RemovalComparison compareRemovals(const trace::RemovalCurve& byImportance,
                                  const std::vector<std::shared_ptr<const trace::RemovalCurve>>& random,
                                  std::optional<std::size_t> step);

} // namespace headscope::analysis
