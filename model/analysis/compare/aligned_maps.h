#pragma once

#include "model/analysis/maps/token_alignment.h"
#include "model/trace/attention_record.h"
#include "model/trace/matrix.h"
#include "model/trace/run.h"
#include "model/trace/task.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// How far two rows of two heads are apart over keys that are aligned. Each row is read as a distribution
/// over the pairs of keys and one event more, its weight on all other keys.
/// What is measured is the Jensen-Shannon divergence of these two (Lin 1991, "Divergence measures based on
/// the Shannon entropy"; of heads: Clark et al. 2019, section 6), base 2: 0 for equal rows, the same both
/// ways, and 1 bit (ln 2 nats) at most. What is put together into one event cannot be told apart: of rows
/// over all keys the divergence would be as large or larger. Nothing is renormalised.
struct RowComparison {
    double divergence = 0;
    double firstOutside = 0; ///< weight on keys without a counterpart, 0 to 1
    double secondOutside = 0;
    double firstEntropy = 0; ///< bits, over all of the row's own keys
    double secondEntropy = 0;
};

/// The maps of a head of each of two runs on aligned axes. Words: summed over a key's pieces, averaged over a
/// query's (byWords).
struct AlignedMaps {
    std::vector<AlignedPlace> rows;
    std::vector<AlignedPlace> columns;
    trace::Matrix first; ///< [rows, columns] weights; 0 where the run has no such cell
    trace::Matrix second;
    trace::Matrix change;        ///< [rows, columns] second minus first where both have the cell
    trace::MaskMatrix firstOpen; ///< 1 where the run has the cell and it is open
    trace::MaskMatrix secondOpen;
    trace::MaskMatrix both; ///< 1 where both have the cell and it is open in one of them
    double largest = 0;     ///< magnitude of a change
    /// One a row; nothing where a run has no such row, or it has no open key.
    std::vector<std::optional<RowComparison>> rowComparisons;
    std::vector<std::optional<double>> firstReceived; ///< sum of each column; nothing where there is none
    std::vector<std::optional<double>> secondReceived;

    bool empty() const { return rows.empty() || columns.empty(); }
};

/// A head's weights by the units of its axes, ready to be compared with many.
struct UnitMap {
    trace::HeadAddress head;
    trace::Matrix weights;             ///< [query units, key units]
    trace::MaskMatrix open;            ///< [query units, key units]
    std::vector<float> padding;        ///< of each row: its weight on padding, which is no unit
    std::vector<std::size_t> openKeys; ///< of each row, in units; 0 where none is, or a weight is no number
};
/// Empty where the run has no such head, or its weights were not kept. Of a map that is left out they are
/// computed again: throws trace::Cancelled.
UnitMap unitMap(const trace::Run& run, const trace::HeadAddress& head, const std::vector<AxisUnit>& queries,
                const std::vector<AxisUnit>& keys, const trace::Task& work = {});

/// Empty where one of them is, or the axes have no place.
AlignedMaps compareMaps(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                        const AlignedAxis& keys);

/// A head's weights, whole or of some rows: computed again where the run left its map out.
class HeadWeights {
  public:
    /// Empty where the run has no such head, or its weights were not kept. `tokens`: the rows; nothing: all.
    /// The run outlives it. Throws trace::Cancelled.
    HeadWeights(const trace::Run& run, const trace::HeadAddress& head,
                std::optional<MapSpan> tokens = std::nullopt, const trace::Task& work = {});

    HeadWeights(const HeadWeights&) = delete; // it looks into itself
    HeadWeights& operator=(const HeadWeights&) = delete;

    bool empty() const { return weights_.empty(); }
    /// By units, of which the rows are among those that are there, one after the other.
    UnitMap units(const std::vector<AxisUnit>& queries, const std::vector<AxisUnit>& keys) const;

  private:
    trace::HeadAddress head_;
    std::optional<trace::AttentionRecord> again_;
    const trace::MaskMatrix* mask_ = nullptr;
    trace::MatrixView weights_;
    std::size_t firstRow_ = 0;
};

/// compareMaps(), some rows at a time: the maps of long inputs do not stand in memory several times over.
class ComparedRows {
  public:
    /// `places`: of the queries, of which others are not asked for; nothing: all. What is given outlives it.
    /// Throws trace::Cancelled.
    ComparedRows(const trace::Run& first, const trace::HeadAddress& head, const trace::Run& second,
                 const trace::HeadAddress& other, const AlignedAxis& queries, const AlignedAxis& keys,
                 std::optional<MapSpan> places = std::nullopt, const trace::Task& work = {});

    bool empty() const { return first_.empty() || second_.empty(); }
    /// Of some of the places. The sums of columns are those of these rows.
    AlignedMaps rows(MapSpan places) const;

  private:
    const AlignedAxis& queries_;
    const AlignedAxis& keys_;
    HeadWeights first_;
    HeadWeights second_;
};

/// What became of a head. Means run over the pairs of rows in which both have an open key and one of them has
/// a choice: two open keys.
struct HeadChange {
    trace::HeadAddress head;  ///< of the first run
    trace::HeadAddress other; ///< of the second run
    std::size_t rows = 0;     ///< that count
    double divergence = 0;    ///< mean of RowComparison::divergence; not a number where no row counts
    double largest = 0;       ///< change of a cell, of the largest magnitude, with its sign
    double entropyChange = 0; ///< mean, bits: above 0 the second spreads wider
    double firstOutside = 0;  ///< mean weight without a counterpart
    double secondOutside = 0;
};
/// Throws trace::Cancelled.
HeadChange compareHeads(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                        const AlignedAxis& keys, const trace::Task& work = {});

/// The head of the second run's `kind` that is least far from `head` of the first, one head of the second run
/// at a time: of long maps each is computed again. Equally far: the first one.
class NearestHeadSteps {
  public:
    /// Runs and alignment outlive it. This and goOn() throw trace::Cancelled.
    NearestHeadSteps(const trace::Run& first, const trace::HeadAddress& head, const trace::Run& second,
                     const RunAlignment& alignment, const trace::Task& work = {});

    /// Compares with one head more, if there is one. True once there is none. `work` is that of all.
    bool goOn(const trace::Task& work = {});
    /// Of those so far; nothing where no row of any counts.
    const std::optional<HeadChange>& nearest() const { return nearest_; }

  private:
    const trace::Run& second_;
    const AlignedAxis& queries_;
    const AlignedAxis& keys_;
    UnitMap own_;
    trace::HeadAddress next_;
    std::size_t done_ = 0;
    std::size_t all_ = 0; ///< heads of the second run's kind
    std::optional<HeadChange> nearest_;
};

/// The same at once.
std::optional<HeadChange> nearestHead(const trace::Run& first, const trace::HeadAddress& head,
                                      const trace::Run& second, const RunAlignment& alignment,
                                      const trace::Task& work = {});

} // namespace headscope::analysis
