#pragma once

#include "model/trace/matrix.h"
#include "model/trace/run.h"

#include <cstddef>
#include <span>
#include <vector>

namespace headscope::analysis {

/// Jensen-Shannon divergence of two distributions over the same keys, base 2: 0 for equal ones, 1 for those
/// that have no key in common.
double jensenShannon(std::span<const float> first, std::span<const float> second);

/// How differently heads of one kind look, all with all (Clark et al. 2019, section 6).
struct HeadDivergences {
    std::vector<trace::HeadAddress> heads;
    /// [heads, heads] Mean over rows of the divergence, 0 to 1; symmetric, 0 on the diagonal. Rows that do
    /// not count for statistics or have one open key alone are left out; not a number where no row counts.
    trace::Matrix values;
};
HeadDivergences headDivergences(const trace::Run& run, trace::AttentionKind kind);

/// Heads in groups, as places in `divergences.heads`: two groups become one as long as the mean divergence
/// between their members is below `threshold` (average linkage), the nearest first. A group by its first
/// head, in order.
std::vector<std::vector<std::size_t>> similarHeads(const HeadDivergences& divergences, double threshold);

} // namespace headscope::analysis
