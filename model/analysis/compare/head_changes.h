#pragma once

#include "model/analysis/compare/aligned_maps.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// Whether both runs have the same numbers of layers and of heads per layer.
bool haveSameHeads(const trace::Run& first, const trace::Run& second);

/// Computes the change of every head in small steps, for progress and cancellation: hundreds of heads over a
/// long sentence need billions of logarithms. If both runs have the same heads, each is compared with the
/// head at the same address, otherwise with the nearest head of its kind in the second run (nearestHead()).
class HeadChangeSteps {
  public:
    HeadChangeSteps(std::shared_ptr<const trace::Run> first, std::shared_ptr<const trace::Run> second,
                    std::shared_ptr<const RunAlignment> alignment);

    /// Compares heads for the given time, at least one pair. Returns true once all heads are done. Throws
    /// trace::Cancelled; results so far are kept. `work` covers all heads.
    bool goOn(std::chrono::milliseconds time, const trace::Task& work = {});
    std::size_t heads() const { return heads_.size(); }
    std::size_t done() const { return done_; }
    /// Sorted by address; without heads that have no comparable row.
    const std::vector<HeadChange>& changes() const { return changes_; }

  private:
    bool compareNext(const trace::Task& work);

    std::shared_ptr<const trace::Run> first_;
    std::shared_ptr<const trace::Run> second_;
    std::shared_ptr<const RunAlignment> alignment_;
    bool sameHeads_ = false;
    std::vector<trace::HeadAddress> heads_;
    std::size_t done_ = 0;
    std::optional<NearestHeadSteps> search_; ///< for the next head
    std::vector<HeadChange> changes_;
};

} // namespace headscope::analysis
