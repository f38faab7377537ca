#pragma once

#include "model/trace/intervention.h"
#include "model/trace/relative_buckets.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope::trace {

/// Maps with more queries or keys than this are not stored but recomputed from queries and keys.
inline constexpr std::int64_t longestStoredMap = 512;

/// Mask stored as ranges of allowed keys per row; masks of long inputs consist of few ranges.
class AllowedRanges {
  public:
    AllowedRanges() = default;
    explicit AllowedRanges(std::size_t columns) : columns_(columns) {}

    /// 1 = allowed. Columns beyond the end of `open` are masked.
    void addRow(std::span<const std::uint8_t> open);
    /// Appends a row of `other`. The keys of both must be the same from index 0 on.
    void addRowOf(const AllowedRanges& other, std::size_t row);
    /// Appends a copy of the last row.
    void repeatRow() { rows_.push_back(rows_.back()); }

    std::size_t rows() const { return rows_.size(); }
    std::size_t columns() const { return columns_; }
    bool isOpen(std::size_t row, std::size_t column) const;
    bool anyOpen(std::size_t row) const { return rows_[row].first != rows_[row].last; }
    /// Writes the row to `open`, which must have `columns()` elements.
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

/// Bias added to scaled scores according to the distance between query and key.
struct RelativeBias {
    RelativeBuckets buckets;
    std::vector<float> table; ///< [buckets, heads]
    std::size_t heads = 0;
    double factor = 1;                 ///< multiplies the table
    std::vector<std::int64_t> queries; ///< positions; -1: no position, no bias is added
    std::vector<std::int64_t> keys;
};

/// Self-check measurements, taken when rows were computed.
struct RowsMeasured {
    std::size_t rows = 0;  ///< number of rows with an allowed key
    double rowSum = 0;     ///< largest deviation of a row sum from 1; NaN if a NaN was met
    double maskedCell = 0; ///< largest weight of a masked cell in these rows
};

/// Combines the measurements of two sets of rows.
RowsMeasured worst(const RowsMeasured& one, const RowsMeasured& other);

/// How to recompute a map that is not stored from the record's queries and keys: score = q k^T scale + bias,
/// within the cap, weight = softmax over the allowed cells; blocked cells are masked, forced rows replaced.
struct RecomputeRecipe {
    double scale = 1;
    double cap = 0;                            ///< c in c tanh(score / c); 0: none
    double closedScore = 0;                    ///< score of masked cells in the softmax
    std::shared_ptr<const AllowedRanges> open; ///< [queries, keys] as the model applied it
    std::shared_ptr<const RelativeBias> bias;  ///< null: none
    std::size_t firstQuery = 0;                ///< index of row 0 in the sequence
    std::vector<BlockCell> blocked;            ///< for this site; queries are indices in the sequence
    std::vector<ForceRow> forced;
    RowsMeasured measured;
};

} // namespace headscope::trace
