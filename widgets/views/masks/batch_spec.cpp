#include "widgets/views/catalogue.h"

#include <algorithm>
#include <variant>

namespace headscope::widgets {

namespace {

/// A batch of one can be shown: the decoder was fed what it had chosen, and the file says which tokens those
/// are.
bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    const auto& paths = run.request.paths;
    const auto isKnown = [](const trace::Token& token) { return token.id >= 0; };
    return run.model->sourceVocabulary > 0 && !run.source.empty() &&
           std::ranges::all_of(run.source, isKnown) && std::ranges::all_of(run.target, isKnown) &&
           (paths.empty() || std::holds_alternative<std::monostate>(paths.back().forced));
}

} // namespace

ViewSpec views::batch() {
    return {.key = "inputs",
            .choicesOf = "masks",
            .drawn = {{"batch"}, {"sentence"}},
            .options = {"--beside", "--beside-length"},
            .staticReason = ofWhole,
            .needs = "two or three sentences: --source and --beside",
            .ofTrace = "draw it of the model that it was recorded from, with --source and --beside",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
