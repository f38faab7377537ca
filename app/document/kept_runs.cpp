#include "app/document/kept_runs.h"

#include "model/analysis/architecture/architecture_memory.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

void KeptRuns::keep(std::shared_ptr<const trace::Run> run) {
    std::erase_if(runs_, [&](const auto& kept) { return kept->request == run->request; });
    runs_.push_front(std::move(run));
    while (runs_.size() > most || (runs_.size() > fewest && bytes() > mostBytes_))
        runs_.pop_back();
}

std::shared_ptr<const trace::Run> KeptRuns::find(const trace::Request& request) const {
    const auto found =
        std::ranges::find_if(runs_, [&](const auto& kept) { return kept->request == request; });
    return found == runs_.end() ? nullptr : *found;
}

std::size_t KeptRuns::bytes() const {
    std::size_t sum = 0;
    for (const auto& run : runs_)
        sum += static_cast<std::size_t>(analysis::runBytes(*run));
    return sum;
}

} // namespace headscope::app
