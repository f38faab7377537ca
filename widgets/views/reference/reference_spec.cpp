#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return std::ranges::any_of(run.paths, [](const auto& path) { return !path.decodedOn; });
}

} // namespace

ViewSpec views::reference() {
    return {.key = "reference",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Force a translation"),
            .help = QT_TRANSLATE_NOOP(
                "ViewSpec",
                "Scores your own translation, token by token. A token with a low probability is one that the "
                "model would not have chosen."),
            .actions = {{.menu = "&Run",
                         .order = 0,
                         .text = QT_TRANSLATE_NOOP("Actions", "Force &a Translation..."),
                         .shortcut = "Ctrl+Shift+F",
                         .summary = QT_TRANSLATE_NOOP("Actions", "Score a given translation token by token"),
                         .formerKeys = "Ctrl+F",
                         .formerNames = QT_TRANSLATE_NOOP("Actions", "Reference")}},
            .looksSomewhere = false,
            .staticReason = ofWhole,
            .needs =
                "a model that decodes, and a target that is forced as a whole: --target, without --continue",
            .lacks = lacksDecoder,
            .ofTrace = "record it with a forced target: headscope-cli trace --target; or draw it of the "
                       "model that it was recorded "
                       "from, with --target",
            .isHeld = isHeld};
}

} // namespace headscope::widgets
