#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.target.empty() && run.model->saysDecoding;
}

std::optional<Lack> lacksDecoding(const DocumentState& document) {
    const auto lack = lacksDecoder(document);
    if (lack || !document.model || document.model->saysDecoding)
        return lack;
    return Lack{QT_TRANSLATE_NOOP("ViewSpec", "This recording does not say how its tokens were chosen.")};
}

} // namespace

ViewSpec views::decoding() {
    return {.key = "decoding",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Decoding"),
            .help = QT_TRANSLATE_NOOP(
                "ViewSpec",
                "How tokens are chosen: greedy takes the most probable one, beam search keeps several texts, "
                "sampling draws by chance. The text is decoded again when you change this."),
            .synonyms = QT_TRANSLATE_NOOP("Actions", "beam, greedy, sampling, temperature"),
            .looksSomewhere = false,
            .staticReason = ofWhole,
            .needs = "a model that decodes",
            .lacks = lacksDecoding,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
