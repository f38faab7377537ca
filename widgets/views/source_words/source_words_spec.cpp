#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.path.empty();
}

const char* titleOf(const trace::ModelSummary& model) {
    return model.isDecoderAlone() ? QT_TRANSLATE_NOOP("ViewSpec", "Earlier tokens")
                                  : QT_TRANSLATE_NOOP("ViewSpec", "Source words");
}

} // namespace

ViewSpec views::source_words() {
    return {.key = "source-words",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Source words"),
            .titleOf = titleOf,
            .synonyms = QT_TRANSLATE_NOOP("Actions", "knock-out, saliency, attribution of words, ALTI+"),
            .drawn = {{"unnamed", "why", "unnamed"}},
            .needs = "a model with a decoder",
            .lacks = lacksDecoder,
            .ofTrace =
                "record the trace again with --knock-out and --quantities, or open the model that it was "
                "recorded from",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
