#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <deque>
#include <memory>

namespace headscope::app {

/// Runs that were computed, so that going back to one costs nothing. A long sentence's run is large: the
/// oldest are let go where all together take too much.
class KeptRuns {
  public:
    static constexpr std::size_t most = 64;
    /// Kept whatever they take: what is shown and what is compared with it.
    static constexpr std::size_t fewest = 4;

    explicit KeptRuns(std::size_t mostBytes = std::size_t(512) << 20) : mostBytes_(mostBytes) {}

    void keep(std::shared_ptr<const trace::Run> run);
    /// Null if it is not there.
    std::shared_ptr<const trace::Run> find(const trace::Request& request) const;
    void clear() { runs_.clear(); }
    std::size_t size() const { return runs_.size(); }

  private:
    std::size_t bytes() const;

    std::size_t mostBytes_;
    std::deque<std::shared_ptr<const trace::Run>> runs_; ///< kept last first
};

} // namespace headscope::app
