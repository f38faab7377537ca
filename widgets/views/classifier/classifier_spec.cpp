#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.classifier != nullptr;
}

} // namespace

ViewSpec views::classifier() {
    using Kind = ChoiceSpec::Kind;
    const std::vector<const char*> pages{"answer", "words", "table"};
    return {.key = "classifier",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Classifier"),
            .actions =
                {{.menu = "&View/&Canvas",
                  .order = 8,
                  .text = QT_TRANSLATE_NOOP("Actions", "Classi&fier"),
                  .shortcut = "Ctrl+9",
                  .summary = QT_TRANSLATE_NOOP(
                      "Actions",
                      "Class probabilities, contribution of each token, and the effect of leaving out words"),
                  .synonyms = QT_TRANSLATE_NOOP("Actions", "review, class, why negative")}},
            .opensWithModel = true,
            .pages = pages,
            .choices = {{"classifier", "page", Kind::Text, asWords(pages)},
                        {"classifier", "class", Kind::Whole, {}, 0, 1'000'000, true},
                        {"classifier", "sorted", Kind::Flag},
                        {"classifier", "by-contribution", Kind::Flag},
                        {"classifier", "loss", Kind::Text, {"log-probability", "probability"}}},
            .drawn = {{"page"}, {"class"}, {"sorted"}, {"by-contribution"}, {"loss"}},
            .staticReason = ofWhole,
            .needs = "a model that classifies",
            .lacks = lacksClasses,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
