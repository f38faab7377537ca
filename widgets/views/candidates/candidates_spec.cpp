#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.classLogProbabilities.empty() || !run.replacedProbabilities.empty() ||
           !run.maskCandidates.empty() || (!run.path.empty() && !run.row(0).candidates.empty());
}

} // namespace

ViewSpec views::candidates() {
    return {.key = "candidates",
            .needs = "a model that decodes, classifies or predicts tokens",
            .canBeOf = decodesOrPredicts,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
