#pragma once

#include "model/trace/intervention.h"
#include "model/trace/relative_buckets.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope::trace {

/// Queries or keys that a run keeps maps of. Longer ones are computed again from queries and keys.
inline constexpr std::int64_t longestStoredMap = 512;

/// A mask row by row as ranges of open keys: masks of long inputs consist of few.
class OpenRanges {
  public:
    OpenRanges() = default;
    explicit OpenRanges(std::size_t columns) : columns_(columns) {}

    /// 1 = open. Columns beyond the row's end are closed.
    void addRow(std::span<const std::uint8_t> open);
    /// A row of other ranges, whose keys from the first on are the same.
    void addRowOf(const OpenRanges& other, std::size_t row);
    /// The same as the row before.
    void repeatRow() { rows_.push_back(rows_.back()); }

    std::size_t rows() const { return rows_.size(); }
    std::size_t columns() const { return columns_; }
    bool isOpen(std::size_t row, std::size_t column) const;
    bool anyOpen(std::size_t row) const { return rows_[row].first != rows_[row].last; }
    /// Into `open`, which is of `columns()` length.
    void copyRow(std::size_t row, std::span<std::uint8_t> open) const;
    std::size_t bytes() const { return ranges_.size() * sizeof(Range) + rows_.size() * sizeof(Range); }

  private:
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    std::size_t columns_ = 0;
    std::vector<Range> ranges_; ///< [first, last) of keys
    std::vector<Range> rows_;   ///< [first, last) of ranges_
};

/// What is added to scaled scores by the distance between query and key.
struct RelativeBias {
    RelativeBuckets buckets;
    std::vector<float> table; ///< [buckets, heads]
    std::size_t heads = 0;
    double factor = 1;                 ///< that the table is multiplied with
    std::vector<std::int64_t> queries; ///< their places; -1: nowhere, and nothing is added
    std::vector<std::int64_t> keys;
};

/// What was measured of rows when they were computed.
struct RowsMeasured {
    std::size_t rows = 0;  ///< with an open key
    double rowSum = 0;     ///< largest deviation from 1; NaN where a NaN was met
    double maskedCell = 0; ///< largest weight of a closed cell in them
};

/// Of both.
RowsMeasured worst(const RowsMeasured& one, const RowsMeasured& other);

/// How a map that was left out follows from the record's queries and keys: score = q k^T scale + bias, weight
/// = softmax of the open cells' scores, blocked cells closed, forced rows replaced.
struct RecomputeRecipe {
    double scale = 1;
    double closedScore = 0;                   ///< what stands for a closed cell's score in the softmax
    std::shared_ptr<const OpenRanges> open;   ///< [queries, keys] as the model applied it
    std::shared_ptr<const RelativeBias> bias; ///< null: none
    std::size_t firstQuery = 0;               ///< place of row 0 in the sequence
    std::vector<BlockCell> blocked;           ///< of this site; queries count in the sequence
    std::vector<ForceRow> forced;
    RowsMeasured measured;
};

} // namespace headscope::trace
