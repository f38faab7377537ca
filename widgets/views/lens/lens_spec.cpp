#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.lens != nullptr;
}

} // namespace

ViewSpec views::lens() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "logit-lens",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Logit lens"),
            .choices =
                {{"logit-lens", "of", Kind::Text, {"model", "twin"}},
                 {"logit-lens", "tint", Kind::Text, {"probability", "log-probability", "rank", "divergence"}},
                 {"logit-lens", "parts", Kind::Text, {"sublayers", "heads"}}},
            .drawn = {{"tint"}, {"of"}, {"twin-seed", "random-twin", "seed"}},
            .needs = "a model with a decoder",
            .canBeOf = decodes,
            .needsTwin = isOfTwin,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
