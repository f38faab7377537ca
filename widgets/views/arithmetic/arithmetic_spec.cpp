#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

StaticReason staticReason(const PictureOptions& options) {
    if (const auto why = ofEncoder(options); why != StaticReason::None)
        return why;
    return isOfPinnedRow(options) ? StaticReason::OfPinnedRow : StaticReason::None;
}

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token& stop) {
    return run.request.recording.projections && knowsScale(run, stop);
}

} // namespace

ViewSpec views::arithmetic() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "arithmetic",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Arithmetic"),
            .choices = {{"arithmetic", "page", Kind::Text, {"head", "stream"}}},
            .drawn = {{"page"}},
            .options = {"--quantity", "--without-special", "--words"}, // of the map whose cell is explained
            .staticReason = staticReason,
            .needs = "an allowed cell",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
