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

/// Difference between two rows of two heads over aligned keys. Each row is taken as a distribution over the
/// matched keys plus one event for its weight on all other keys.
/// `divergence` is the Jensen-Shannon divergence of the two distributions (Lin 1991, "Divergence measures
/// based on the Shannon entropy"; for heads: Clark et al. 2019, section 6), base 2: 0 for equal rows,
/// symmetric, at most 1 bit (ln 2 nats). Merging the other keys into one event can only lower it: over all
/// keys the divergence would be at least as large. Nothing is renormalised.
struct RowComparison {
    double divergence = 0;
    double firstOutside = 0; ///< weight on unmatched keys, 0 to 1
    double secondOutside = 0;
    double firstEntropy = 0; ///< bits, over all keys of the row
    double secondEntropy = 0;
};

/// The maps of two heads of two runs on aligned axes. For words, weights are summed over a key's tokens and
/// averaged over a query's tokens (byWords()).
struct AlignedMaps {
    std::vector<AlignedPlace> rows;
    std::vector<AlignedPlace> columns;
    trace::Matrix first; ///< [rows, columns] weights; 0 for cells that the run lacks
    trace::Matrix second;
    trace::Matrix change;        ///< [rows, columns] second minus first where `both` is 1
    trace::MaskMatrix firstOpen; ///< 1 for cells that the run has and that are allowed
    trace::MaskMatrix secondOpen;
    trace::MaskMatrix both; ///< 1 for cells that both runs have and that are allowed in at least one
    double largest = 0;     ///< largest magnitude in `change`
    /// [rows]; empty if a run lacks the row or the row has no allowed key.
    std::vector<std::optional<RowComparison>> rowComparisons;
    std::vector<std::optional<double>> firstReceived; ///< [columns] column sums; empty for missing columns
    std::vector<std::optional<double>> secondReceived;

    bool empty() const { return rows.empty() || columns.empty(); }
};

/// The weights of a head by axis units, prepared for comparisons.
struct UnitMap {
    trace::HeadAddress head;
    trace::Matrix weights;                ///< [query units, key units]
    trace::MaskMatrix open;               ///< [query units, key units]
    std::vector<float> padding;           ///< [query units] weight on padding, which is not a unit
    std::vector<std::size_t> allowedKeys; ///< [query units] number of allowed key units; 0 if a weight is NaN
};
/// Empty if the run has no such head or did not keep its weights. Weights that are not stored are recomputed:
/// throws trace::Cancelled.
UnitMap unitMap(const trace::Run& run, const trace::HeadAddress& head, const std::vector<AxisUnit>& queries,
                const std::vector<AxisUnit>& keys, const trace::Task& work = {});

/// Another quantity of the head, by tokens, summed and averaged as weights are.
UnitMap unitMap(const trace::HeadAddress& head, const MapTable& map, const std::vector<AxisUnit>& queries,
                const std::vector<AxisUnit>& keys);

/// What a masked cell is: 0, from which a difference can be taken, or nothing.
enum class Masked { IsZero, IsNothing };
/// The values of two maps and their difference, without comparisons of rows and column sums, which are of
/// weights. Empty if one of the maps or axes is empty.
AlignedMaps alignMaps(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                      const AlignedAxis& keys, Masked masked);

/// Empty if one of the maps or axes is empty.
AlignedMaps compareMaps(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                        const AlignedAxis& keys);

/// The weights of a head, all or some rows; recomputed if the run did not store the map.
class HeadWeights {
  public:
    /// Empty if the run has no such head or did not keep its weights. `tokens` are the rows, all by default.
    /// The run must outlive this object. Throws trace::Cancelled.
    HeadWeights(const trace::Run& run, const trace::HeadAddress& head,
                std::optional<MapSpan> tokens = std::nullopt, const trace::Task& work = {});

    HeadWeights(const HeadWeights&) = delete; // weights_ may refer to again_
    HeadWeights& operator=(const HeadWeights&) = delete;

    bool empty() const { return weights_.empty(); }
    /// Groups the weights by units. `queries` must be consecutive and within the rows held.
    UnitMap units(const std::vector<AxisUnit>& queries, const std::vector<AxisUnit>& keys) const;

  private:
    trace::HeadAddress head_;
    std::optional<trace::AttentionRecord> again_;
    const trace::MaskMatrix* mask_ = nullptr;
    trace::MatrixView weights_;
    std::size_t firstRow_ = 0;
};

/// compareMaps() for some rows at a time, so that long maps are not copied several times.
class ComparedRows {
  public:
    /// `places` limits the query places that rows() may be asked for; all by default. Runs and axes must
    /// outlive this object. Throws trace::Cancelled.
    ComparedRows(const trace::Run& first, const trace::HeadAddress& head, const trace::Run& second,
                 const trace::HeadAddress& other, const AlignedAxis& queries, const AlignedAxis& keys,
                 std::optional<MapSpan> places = std::nullopt, const trace::Task& work = {});

    bool empty() const { return first_.empty() || second_.empty(); }
    /// Compares some query places. Column sums cover these rows only.
    AlignedMaps rows(MapSpan places) const;

  private:
    const AlignedAxis& queries_;
    const AlignedAxis& keys_;
    HeadWeights first_;
    HeadWeights second_;
};

/// Change of a head between two runs. Means are taken over matched rows in which both heads have an allowed
/// key and at least one has two, so that it has a choice.
struct HeadChange {
    trace::HeadAddress head;  ///< of the first run
    trace::HeadAddress other; ///< of the second run
    std::size_t rows = 0;     ///< number of rows in the means
    double divergence = 0;    ///< mean of RowComparison::divergence; NaN if `rows` is 0
    double largest = 0;       ///< signed change of the cell that changed most
    double entropyChange = 0; ///< mean, bits; above 0: the second head is more uniform
    double firstOutside = 0;  ///< mean weight on unmatched keys
    double secondOutside = 0;
};
/// Throws trace::Cancelled.
HeadChange compareHeads(const UnitMap& first, const UnitMap& second, const AlignedAxis& queries,
                        const AlignedAxis& keys, const trace::Task& work = {});

/// Searches the second run for the head of the same kind with the smallest divergence from `head` of the
/// first, one head per step, because long maps have to be recomputed. The first of equal heads wins.
class NearestHeadSteps {
  public:
    /// Runs and alignment must outlive this object. The constructor and goOn() throw trace::Cancelled.
    NearestHeadSteps(const trace::Run& first, const trace::HeadAddress& head, const trace::Run& second,
                     const RunAlignment& alignment, const trace::Task& work = {});

    /// Compares with the next head. Returns true once all heads are done. `work` covers all heads.
    bool goOn(const trace::Task& work = {});
    /// The nearest head so far; empty if no head had a row that counts.
    const std::optional<HeadChange>& nearest() const { return nearest_; }

  private:
    const trace::Run& second_;
    const AlignedAxis& queries_;
    const AlignedAxis& keys_;
    UnitMap own_;
    trace::HeadAddress next_;
    std::size_t done_ = 0;
    std::size_t all_ = 0; ///< number of heads of this kind in the second run
    std::optional<HeadChange> nearest_;
};

/// NearestHeadSteps run to the end.
std::optional<HeadChange> nearestHead(const trace::Run& first, const trace::HeadAddress& head,
                                      const trace::Run& second, const RunAlignment& alignment,
                                      const trace::Task& work = {});

} // namespace headscope::analysis
