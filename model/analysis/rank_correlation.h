#pragma once

#include <optional>
#include <span>

namespace headscope::analysis {

/// Spearman's rank correlation of two series of the same length, -1 to 1; equal values share their mean rank.
/// Nothing for fewer than three pairs, and where one series is constant.
std::optional<double> rankCorrelation(std::span<const double> first, std::span<const double> second);

} // namespace headscope::analysis
