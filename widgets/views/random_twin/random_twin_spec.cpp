#include "model/trace/recorded_runs.h"
#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return trace::recordedTwin(*run.model).has_value();
}

} // namespace

ViewSpec views::random_twin() {
    using Kind = ChoiceSpec::Kind;
    auto drawn = drawnMapChoices();
    drawn.push_back({"twin-seed", "random-twin", "seed"});
    return {.key = "random-twin",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Random twin"),
            .actions = {{.does = ActionSpec::Does::Show,
                         .menu = "&Analyse",
                         .order = 0,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Random Twin"),
                         .shortcut = "Ctrl+Shift+R",
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Compare the model with a copy that has random weights: what is "
                                        "architecture, and what is learned?"),
                         .choice = "on"}},
            .choices = {{"random-twin", "on", Kind::Flag}, {"random-twin", "seed", Kind::Text}},
            .drawn = drawn,
            .staticReason = ofEncoderMap,
            .needsTwin = [](const PictureOptions&) { return true; },
            .isHeld = isHeld};
}

} // namespace headscope::widgets
