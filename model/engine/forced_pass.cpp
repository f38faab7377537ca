#include "model/engine/forced_pass.h"

#include "model/engine/run_recorder.h"
#include "model/network/attention_mask.h"

#include <ATen/ATen.h>

namespace headscope::engine {

ForcedPass::ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
                       std::stop_token stop)
    : model_(model), source_(source), fed_(std::move(fed)), stop_(std::move(stop)) {}

at::Tensor ForcedPass::logProbabilities(const network::Interventions& interventions) const {
    const auto& network = *model_.network;
    StopWatcher watcher(stop_);
    const network::Pass pass{
        .observer = &watcher, .interventions = &interventions, .longestMap = trace::longestStoredMap};
    const auto memory = interventions.touchesEncoder() ? network.encode(source_.embedded, source_.open, pass)
                                                       : source_.output; // [S, d_model]
    if (fed_.empty() && model_.summary->classes > 0)
        return network.classLogProbabilities(memory).unsqueeze(0);
    if (fed_.empty()) {
        std::vector<std::int64_t> masks;
        for (const auto& [place, candidates] : source_.maskCandidates)
            masks.push_back(static_cast<std::int64_t>(place));
        return network.tokenLogProbabilities(memory.index_select(0, at::tensor(masks, at::kLong)));
    }
    const auto ids = at::tensor(fed_, at::kLong);
    auto state = network.startDecoding(memory, source_.open, ids.size(0), &watcher);
    const auto open = network::allowedKeys(ids, model_.maskedInTarget());
    return network.logProbabilities(network.decode(ids, open, state, pass));
}

} // namespace headscope::engine
