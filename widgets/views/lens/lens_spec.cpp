#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run&, const KnownResults& known, const std::stop_token&) {
    return known.lens != nullptr;
}

} // namespace

ViewSpec views::lens() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "logit-lens",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Logit lens"),
        .actions = {{.does = ActionSpec::Does::OpenOrClose,
                     .menu = "&Analyse",
                     .order = 7,
                     .text = QT_TRANSLATE_NOOP("Actions", "Logit &Lens"),
                     .shortcut = "Ctrl+Shift+L",
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Show or hide the model's prediction after each sublayer and each "
                                    "part's contribution to the logit"),
                     .separatorBefore = true}},
        .choices =
            {{"logit-lens", "of", Kind::Text, {"model", "twin"}},
             {"logit-lens", "tint", Kind::Text, {"probability", "log-probability", "rank", "divergence"}}},
        .drawn = {{"tint"},
                  {"of"},
                  {"twin-seed", "random-twin", "seed"},
                  {"card"},
                  {"unnamed", "why", "unnamed"},
                  {"baseline", "why", "baseline"}},
        .pictureChoices = {{"logit-lens", "card", Kind::Flag}},
        .needs = "a model that decodes, classifies, labels tokens, marks an answer or predicts a number, or "
                 "a masked model and a text with a mask token",
        .lacks = lacksOutput,
        .needsTwin = isOfTwin,
        .isHeld = isHeld};
}

} // namespace headscope::widgets
