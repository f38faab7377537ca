#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.classifier != nullptr;
}

} // namespace

ViewSpec views::token_card() {
    return {.key = "token-card",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Token"),
            .help = QT_TRANSLATE_NOOP("ViewSpec",
                                      "What the selected token adds to the class: its features, each times "
                                      "its weight. Compare it with the "
                                      "loss when the word is left out: both should point the same way."),
            .synonyms = QT_TRANSLATE_NOOP("Actions", "features, pooled, value times weight"),
            .staticReason = ofWhole,
            .needs = "a model that classifies",
            .lacks = lacksClasses,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
