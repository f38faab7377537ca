#include "app/window/kept_runs.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

std::size_t bytesOf(const trace::Run& run) {
    std::size_t floats = 0;
    const auto add = [&](const std::vector<trace::AttentionRecord>& records) {
        for (const auto& record : records)
            for (const auto* stack :
                 {&record.scores, &record.weights, &record.q, &record.k, &record.v, &record.outputs})
                floats += stack->values().size();
    };
    floats += run.encoderResidual.values().size() + run.encoderOutput.values().size();
    add(run.encoder);
    add(run.decoder);
    add(run.cross);
    for (const auto& node : run.tree.nodes()) {
        if (!node.row)
            continue;
        add(node.row->self);
        add(node.row->cross);
        for (const auto& scores : node.row->scoresOfEarlierQueries)
            floats += scores.values().size();
        floats += node.row->logProbabilities.size() + node.row->residual.values().size();
    }
    return floats * sizeof(float);
}

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
        sum += bytesOf(*run);
    return sum;
}

} // namespace headscope::app
