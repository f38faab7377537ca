#pragma once

#include "model/trace/head_importance.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// What one head is worth at a step, or to a whole output.
struct HeadScore {
    trace::HeadAddress head;
    double importance = 0; ///< nats; above 0: the head helped
    double divergence = 0; ///< nats, at least 0
    friend bool operator==(const HeadScore&, const HeadScore&) = default;
};

/// Of every head that is known, in the order of HeadImportance: of one step, or summed over all of them where
/// `step` is nothing. Throws std::out_of_range for a step that was not measured.
std::vector<HeadScore> headScores(const trace::HeadImportance& measured, std::optional<std::size_t> step);

/// The head that helped most first, the one that hurt most last; equal ones by address, what is not a number
/// at the end.
void rankByImportance(std::vector<HeadScore>& scores);

/// Nats. Less rounds to nothing in the third decimal: where no head reaches it, bars are not drawn as if one
/// did.
inline constexpr double leastImportance = 0.0005;

/// The largest finite importance on either side of zero; 0 where there is none.
double largestImportance(const std::vector<HeadScore>& scores);

} // namespace headscope::analysis
