#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.path.empty();
}

} // namespace

ViewSpec views::branches() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "branches",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Branches"),
            .drawn = {{"branches", "compare", "branches"}, {"shown"}, {"names"}},
            .pictureChoices = {{"compare", "branches", Kind::Texts}, {"branches", "shown", Kind::Whole}},
            .looksSomewhere = false,
            .staticReason = ofWhole,
            .needs = "a model that decodes",
            .lacks = lacksDecoder,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
