#include "model/trace/recompute_recipe.h"

#include <algorithm>
#include <cmath>

namespace headscope::trace {

void AllowedRanges::addRow(std::span<const std::uint8_t> open) {
    Range row{.first = static_cast<std::uint32_t>(ranges_.size())};
    const auto isOpen = [](std::uint8_t cell) { return cell != 0; };
    for (auto from = std::find_if(open.begin(), open.end(), isOpen); from != open.end();) {
        const auto to = std::find_if_not(from, open.end(), isOpen);
        ranges_.push_back(
            {static_cast<std::uint32_t>(from - open.begin()), static_cast<std::uint32_t>(to - open.begin())});
        from = std::find_if(to, open.end(), isOpen);
    }
    row.last = static_cast<std::uint32_t>(ranges_.size());
    rows_.push_back(row);
}

void AllowedRanges::addRowOf(const AllowedRanges& other, std::size_t row) {
    const auto first = static_cast<std::uint32_t>(ranges_.size());
    const auto begin = other.ranges_.begin();
    ranges_.insert(ranges_.end(), begin + other.rows_[row].first, begin + other.rows_[row].last);
    rows_.push_back({first, static_cast<std::uint32_t>(ranges_.size())});
}

bool AllowedRanges::isOpen(std::size_t row, std::size_t column) const {
    const auto begin = ranges_.begin();
    return std::any_of(begin + rows_[row].first, begin + rows_[row].last,
                       [&](const Range& range) { return range.first <= column && column < range.last; });
}

void AllowedRanges::copyRow(std::size_t row, std::span<std::uint8_t> open) const {
    std::ranges::fill(open, std::uint8_t{0});
    for (auto at = rows_[row].first; at < rows_[row].last; ++at)
        std::fill(open.begin() + ranges_[at].first, open.begin() + ranges_[at].last, std::uint8_t{1});
}

RowsMeasured worst(const RowsMeasured& one, const RowsMeasured& other) {
    const auto larger = [](double a, double b) { return std::isnan(a) || a > b ? a : b; };
    return {.rows = one.rows + other.rows,
            .rowSum = larger(one.rowSum, other.rowSum),
            .maskedCell = larger(one.maskedCell, other.maskedCell)};
}

} // namespace headscope::trace
