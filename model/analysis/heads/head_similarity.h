#pragma once

#include "model/analysis/maps/map_rows.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/matrix.h"
#include "model/trace/run.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope::analysis {

/// Jensen-Shannon divergence of two distributions over the same keys, base 2: 0 if equal, 1 if they have no
/// key in common.
double jensenShannon(std::span<const float> first, std::span<const float> second);

/// Pairwise divergences of all heads of one kind (Clark et al. 2019, section 6).
struct HeadDivergences {
    std::vector<trace::HeadAddress> heads;
    /// [heads, heads] Mean divergence of rows, 0 to 1; symmetric, 0 on the diagonal. Rows that do not count
    /// for statistics or have a single allowed key are skipped; NaN if no row counts.
    trace::Matrix values;
    std::size_t everyRow = 1; ///< above 1: only every n-th row was used, because the maps are not stored
};
HeadDivergences headDivergences(const trace::Run& run, trace::AttentionKind kind);

/// Computes headDivergences() in small steps, for progress and cancellation: hundreds of heads over a long
/// sentence need billions of logarithms.
class DivergenceSteps {
  public:
    /// Recomputes rows of maps that are not stored: throws trace::Cancelled.
    DivergenceSteps(std::shared_ptr<const trace::Run> run, trace::AttentionKind kind,
                    std::stop_token stop = {});

    /// Compares pairs for the given time, at least one. Returns true once all pairs are done.
    bool goOn(std::chrono::milliseconds time);
    std::size_t pairs() const { return rows_.size() * (rows_.size() - 1) / 2; }
    std::size_t donePairs() const { return done_; }
    const HeadDivergences& divergences() const { return divergences_; }

  private:
    std::shared_ptr<const trace::Run> run_; ///< owns the data that rows_ refers to
    HeadDivergences divergences_;
    /// Recomputed rows that rows_ refers to; shared by copies of this object.
    std::shared_ptr<std::deque<HeadRow>> again_ = std::make_shared<std::deque<HeadRow>>();
    std::vector<std::vector<MapRow>> rows_; ///< [heads]
    std::size_t one_ = 0;                   ///< the next pair
    std::size_t other_ = 1;
    std::size_t done_ = 0;
};

/// Returns the divergence of two heads; empty if one does not exist, their kinds differ, or no row counts.
std::optional<double> divergenceOfHeads(const trace::Run& run, const trace::HeadAddress& first,
                                        const trace::HeadAddress& second);

/// Clusters heads by average linkage: the two nearest groups are merged as long as the mean divergence
/// between their members is below `threshold`. Groups hold indices into `divergences.heads`, in ascending
/// order, and are sorted by their first head.
std::vector<std::vector<std::size_t>> similarHeads(const HeadDivergences& divergences, double threshold);

/// Two or more similar heads.
struct HeadGroup {
    std::vector<trace::HeadAddress> heads;
    double divergence = 0; ///< mean over all pairs of the group
    friend bool operator==(const HeadGroup&, const HeadGroup&) = default;
};

/// The heads of one kind, grouped by similarity.
struct HeadGroups {
    std::vector<HeadGroup> alike; ///< largest group first; of equal sizes, the lower divergence first
    std::vector<trace::HeadAddress> alone; ///< heads without a similar one
};
HeadGroups groupedHeads(const HeadDivergences& divergences, double threshold);

} // namespace headscope::analysis
