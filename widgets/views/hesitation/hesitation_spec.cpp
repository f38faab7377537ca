#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.path.empty();
}

} // namespace

ViewSpec views::hesitation() {
    return {.key = "hesitation",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Hesitation"),
            .showsTarget = true,
            .staticReason = ofWhole,
            .needs = "a model that decodes",
            .lacks = lacksDecoder,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
