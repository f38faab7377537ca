#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <deque>
#include <memory>

namespace headscope::app {

/// A cache of computed runs, so that going back to one is immediate. Runs of long sentences are large: the
/// oldest are dropped if all take too much memory.
class KeptRuns {
  public:
    static constexpr std::size_t most = 64;
    /// Kept regardless of their size: the shown run and those compared with it.
    static constexpr std::size_t fewest = 4;

    explicit KeptRuns(std::size_t mostBytes = std::size_t(512) << 20) : mostBytes_(mostBytes) {}

    void keep(std::shared_ptr<const trace::Run> run);
    /// Returns null if the run is not kept.
    std::shared_ptr<const trace::Run> find(const trace::Request& request) const;
    void clear() { runs_.clear(); }
    std::size_t size() const { return runs_.size(); }

  private:
    std::size_t bytes() const;

    std::size_t mostBytes_;
    std::deque<std::shared_ptr<const trace::Run>> runs_; ///< most recently kept first
};

} // namespace headscope::app
