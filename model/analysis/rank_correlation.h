#pragma once

#include <optional>
#include <span>

namespace headscope::analysis {

/// Spearman's rank correlation of two series of the same length, -1 to 1; ties get their mean rank. Empty for
/// fewer than three pairs or if one series is constant.
std::optional<double> rankCorrelation(std::span<const double> first, std::span<const double> second);

} // namespace headscope::analysis
