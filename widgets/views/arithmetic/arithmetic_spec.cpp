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
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Numbers"),
            .actions = {{.does = ActionSpec::Does::OpenOrClose,
                         .menu = "&View/&Canvas",
                         .order = 9,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Numbers of a Cell"),
                         .shortcut = "N; Ctrl+Shift+A",
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Show or hide the arithmetic of the cell under the pointer"),
                         .formerKeys = "Ctrl+Shift+A",
                         .formerNames = QT_TRANSLATE_NOOP("Actions", "Arithmetic of a Cell")}},
            .ofCell = QT_TRANSLATE_NOOP("ViewSpec", "Show the Arithmetic"),
            .choices = {{"arithmetic", "page", Kind::Text, {"head", "stream"}}},
            // The others are of the map whose cell is explained.
            .drawn = {{"page"}, {"quantity", "map"}, {"without-special", "map"}, {"words", "map"}},
            .staticReason = staticReason,
            .needs = "an allowed cell",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
