#pragma once

#include "model/trace/head_importance.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Importance of one head for a step or for the whole output.
struct HeadScore {
    trace::HeadAddress head;
    double importance = 0; ///< nats; above 0: the head helps
    double divergence = 0; ///< nats, at least 0
    friend bool operator==(const HeadScore&, const HeadScore&) = default;
};

/// Returns the scores of all measured heads in the order of HeadImportance, for one step or, without `step`,
/// summed over all steps. Throws std::out_of_range for a step that was not measured.
std::vector<HeadScore> headScores(const trace::HeadImportance& measured, std::optional<std::size_t> step);

/// Sorts by descending importance, that of numbers by its magnitude; equal scores by address, NaN last.
void rankByImportance(std::vector<HeadScore>& scores, bool areNumbers = false);

/// Nats. Smaller values round to zero in the third decimal, so bars are not scaled to them.
inline constexpr double leastImportance = 0.0005;

/// Returns the largest finite magnitude of importance; 0 if there is none.
double largestImportance(const std::vector<HeadScore>& scores);

} // namespace headscope::analysis
