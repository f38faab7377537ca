#include "model/analysis/output/lens_decision.h"

namespace headscope::analysis {

std::optional<std::size_t> decidedStage(const std::vector<trace::LensReading>& stages, std::int64_t chosen) {
    std::optional<std::size_t> decided;
    for (std::size_t stage = stages.size(); stage-- > 0;) {
        const auto& candidates = stages[stage].candidates;
        if (candidates.empty() || candidates.front().token.id != chosen)
            break;
        decided = stage;
    }
    return decided;
}

} // namespace headscope::analysis
