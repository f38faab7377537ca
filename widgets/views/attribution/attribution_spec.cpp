#include "model/trace/lens.h"
#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.lens && !known.lens->attributions.empty();
}

} // namespace

ViewSpec views::attribution() {
    return {.key = "attribution",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Direct logit attribution"),
            .choices = {{"logit-lens", "parts", ChoiceSpec::Kind::Text, {"sublayers", "heads"}}},
            .choicesOf = "logit-lens",
            .drawn = {{"parts"},
                      {"of"},
                      {"twin-seed", "random-twin", "seed"},
                      {"card"},
                      {"unnamed", "why", "unnamed"},
                      {"baseline", "why", "baseline"}},
            .pictureChoices = {{"attribution", "card", ChoiceSpec::Kind::Flag}},
            .needs =
                "a model that decodes, classifies, labels tokens, marks an answer or predicts a number, or "
                "a masked model and a text with a mask token",
            .lacks = lacksOutput,
            .needsTwin = isOfTwin,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
