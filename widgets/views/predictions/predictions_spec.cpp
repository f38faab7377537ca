#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.replacedProbabilities.empty() || !run.maskCandidates.empty() ||
           !run.spanLogProbabilities.empty();
}

std::optional<Lack> lacksTokens(const DocumentState& document) {
    if (document.model && document.model->decoderLayers == 0 && document.model->classes == 0 &&
        document.model->tokenPrediction != trace::TokenPrediction::None)
        return std::nullopt;
    return Lack{QT_TRANSLATE_NOOP(
        "ViewSpec", "This model predicts no tokens of the text: open an encoder with a prediction head.")};
}

} // namespace

ViewSpec views::predictions() {
    return {.key = "predictions",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Predictions"),
            .synonyms = QT_TRANSLATE_NOOP(
                "Actions", "mask, masked tokens, fill in, replaced, cloze, labels, names, answer"),
            .staticReason = ofWhole,
            .needs =
                "a model that predicts masked tokens and a text with one, or one that labels tokens, detects "
                "replaced ones or marks an answer",
            .lacks = lacksTokens,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
