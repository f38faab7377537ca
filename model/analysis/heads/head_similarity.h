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

/// Jensen-Shannon divergence of two distributions over the same keys, base 2: 0 for equal ones, 1 for those
/// that have no key in common.
double jensenShannon(std::span<const float> first, std::span<const float> second);

/// How differently heads of one kind look, all with all (Clark et al. 2019, section 6).
struct HeadDivergences {
    std::vector<trace::HeadAddress> heads;
    /// [heads, heads] Mean over rows of the divergence, 0 to 1; symmetric, 0 on the diagonal. Rows that do
    /// not count for statistics or have one open key alone are left out; not a number where no row counts.
    trace::Matrix values;
    std::size_t everyRow = 1; ///< above 1: of so manieth rows alone, where the maps are left out
};
HeadDivergences headDivergences(const trace::Run& run, trace::AttentionKind kind);

/// The same a part at a time, for who says how far it is and may be stopped: hundreds of heads over a long
/// sentence are billions of logarithms.
class DivergenceSteps {
  public:
    /// Rows of maps that are left out are computed again here: throws trace::Cancelled.
    DivergenceSteps(std::shared_ptr<const trace::Run> run, trace::AttentionKind kind,
                    std::stop_token stop = {});

    /// Compares pairs until the time is over, at least one. True once all is there.
    bool goOn(std::chrono::milliseconds time);
    std::size_t pairs() const { return rows_.size() * (rows_.size() - 1) / 2; }
    std::size_t donePairs() const { return done_; }
    const HeadDivergences& divergences() const { return divergences_; }

  private:
    std::shared_ptr<const trace::Run> run_; ///< keeps alive what the rows look at
    HeadDivergences divergences_;
    /// Rows of maps that are left out; whoever is copied looks at the same.
    std::shared_ptr<std::deque<HeadRow>> again_ = std::make_shared<std::deque<HeadRow>>();
    std::vector<std::vector<MapRow>> rows_; ///< of each head
    std::size_t one_ = 0;                   ///< the next pair
    std::size_t other_ = 1;
    std::size_t done_ = 0;
};

/// Of two heads of one kind; nothing where one is not there, they are of two kinds, or no row counts.
std::optional<double> divergenceOfHeads(const trace::Run& run, const trace::HeadAddress& first,
                                        const trace::HeadAddress& second);

/// Heads in groups, as places in `divergences.heads`: two groups become one as long as the mean divergence
/// between their members is below `threshold` (average linkage), the nearest first. A group by its first
/// head, in order.
std::vector<std::vector<std::size_t>> similarHeads(const HeadDivergences& divergences, double threshold);

/// Two heads or more that look alike.
struct HeadGroup {
    std::vector<trace::HeadAddress> heads;
    double divergence = 0; ///< mean of all pairs in it
    friend bool operator==(const HeadGroup&, const HeadGroup&) = default;
};

/// The heads of one kind: those that look alike, the largest group first and of two as large the closer one,
/// and those that are like no other.
struct HeadGroups {
    std::vector<HeadGroup> alike;
    std::vector<trace::HeadAddress> alone;
};
HeadGroups groupedHeads(const HeadDivergences& divergences, double threshold);

} // namespace headscope::analysis
