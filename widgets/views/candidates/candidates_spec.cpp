#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.classLogProbabilities.empty() || !run.numbers.empty() || !run.spanLogProbabilities.empty() ||
           !run.replacedProbabilities.empty() || !run.maskCandidates.empty() ||
           (!run.path.empty() && !run.row(0).candidates.empty());
}

const char* titleOf(const trace::ModelSummary& model) {
    if (model.decoderLayers > 0)
        return QT_TRANSLATE_NOOP("ViewSpec", "Next token");
    if (model.classes > 0)
        return QT_TRANSLATE_NOOP("ViewSpec", "Class probabilities");
    switch (model.tokenPrediction) {
    case trace::TokenPrediction::Masked:
        return QT_TRANSLATE_NOOP("ViewSpec", "Masked tokens");
    case trace::TokenPrediction::Replaced:
        return QT_TRANSLATE_NOOP("ViewSpec", "Replaced tokens");
    case trace::TokenPrediction::Labels:
        return QT_TRANSLATE_NOOP("ViewSpec", "Labels");
    case trace::TokenPrediction::Span:
        return QT_TRANSLATE_NOOP("ViewSpec", "Answer");
    default:
        return QT_TRANSLATE_NOOP("ViewSpec", "Predictions");
    }
}

} // namespace

ViewSpec views::candidates() {
    return {
        .key = "candidates",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Next token"),
        .titleOf = titleOf,
        .help = QT_TRANSLATE_NOOP(
            "ViewSpec",
            "The most probable choices of the model here, with their probabilities. A second choice close "
            "to the first one means that the model is unsure."),
        .synonyms = QT_TRANSLATE_NOOP(
            "Actions", "hesitation, hesitate, unsure, uncertain, least certain, second choice"),
        .needs = "a model that decodes, classifies or predicts tokens",
        .lacks = lacksPrediction,
        .isHeld = isHeld};
}

} // namespace headscope::widgets
