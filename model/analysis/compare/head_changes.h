#pragma once

#include "model/analysis/compare/aligned_maps.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// True if both runs have the same attention: as many layers, and heads in each.
bool haveSameHeads(const trace::Run& first, const trace::Run& second);

/// What became of every head, a part at a time, for who says how far it is and may be stopped: hundreds of
/// heads over a long sentence are billions of logarithms. Where both runs have the same heads each is
/// compared with the one of its own address, else with the nearest of its kind in the second run
/// (nearestHead).
class HeadChangeSteps {
  public:
    HeadChangeSteps(std::shared_ptr<const trace::Run> first, std::shared_ptr<const trace::Run> second,
                    std::shared_ptr<const RunAlignment> alignment);

    /// Compares heads until the time is over, at least one with one. True once all is there. Throws
    /// trace::Cancelled; what was compared until then stays. `work` is that of all heads.
    bool goOn(std::chrono::milliseconds time, const trace::Task& work = {});
    std::size_t heads() const { return heads_.size(); }
    std::size_t done() const { return done_; }
    /// By address; heads of which no row can be compared are left out.
    const std::vector<HeadChange>& changes() const { return changes_; }

  private:
    bool compareNext(const trace::Task& work);

    std::shared_ptr<const trace::Run> first_;
    std::shared_ptr<const trace::Run> second_;
    std::shared_ptr<const RunAlignment> alignment_;
    bool sameHeads_ = false;
    std::vector<trace::HeadAddress> heads_;
    std::size_t done_ = 0;
    std::optional<NearestHeadSteps> search_; ///< of the head after those that are done
    std::vector<HeadChange> changes_;
};

} // namespace headscope::analysis
