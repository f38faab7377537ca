#include "widgets/views/catalogue.h"

#include <algorithm>
#include <variant>

namespace headscope::widgets {

namespace {

/// A trace can show a batch of one sentence: the decoder was fed its own choices, and the ids of the tokens
/// are recorded.
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
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Batch & padding"),
            .actions = {{.menu = "&View/&Canvas",
                         .order = 8,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Batch && Padding"),
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Two or three sentences as one padded batch, and its masks"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "padded, labels, inputs")}},
            .choicesOf = "masks",
            .drawn = {{"batch"}, {"sentence"}},
            .decodesOthers = true,
            .staticReason = ofWhole,
            .needs = "two or three sentences: --source and --beside",
            .ofTrace = "draw it of the model that it was recorded from, with --source and --beside",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
