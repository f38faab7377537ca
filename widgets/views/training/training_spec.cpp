#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

/// The curves belong to a log, not to a run.
bool isHeld(const trace::Run&, const KnownResults&, const std::stop_token&) {
    return false;
}

} // namespace

ViewSpec views::training() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "training-curves",
            .drawn = {{"name"}},
            .pictureChoices = {{"training-curves", "name", Kind::Text}},
            .looksSomewhere = false,
            .isOfTraining = true,
            .staticReason = ofWhole,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
