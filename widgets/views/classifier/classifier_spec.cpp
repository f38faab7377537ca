#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.classifier != nullptr;
}

} // namespace

ViewSpec views::classifier() {
    using Kind = ChoiceSpec::Kind;
    const std::vector<const char*> pages{"answer", "words"};
    return {.key = "classifier",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Classifier"),
            .pages = pages,
            .choices = {{"classifier", "page", Kind::Text, asWords(pages)},
                        {"classifier", "class", Kind::Whole, {}, 0, 1'000'000, true},
                        {"classifier", "sorted", Kind::Flag},
                        {"classifier", "loss", Kind::Text, {"log-probability", "probability"}}},
            .drawn = {{"class"}, {"sorted"}, {"loss"}},
            .staticReason = ofWhole,
            .needs = "a model that classifies",
            .canBeOf = classifies,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
