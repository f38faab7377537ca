#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.path.empty() || !run.answers().empty();
}

} // namespace

ViewSpec views::why() {
    return {.key = "why",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Why this token"),
            .actions = {{.menu = "&Analyse",
                         .order = 2,
                         .text = QT_TRANSLATE_NOOP("Actions", "&Why This Token"),
                         .shortcut = "W",
                         .summary = QT_TRANSLATE_NOOP(
                             "Actions", "Explain why the model chose this step's token rather than another"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "explain, rather than, instead, because"),
                         .ofToken = QT_TRANSLATE_NOOP("Actions", "Why This Token Rather Than...")}},
            .choices = {{"why", "unnamed", ChoiceSpec::Kind::Text, {"second", "nothing"}},
                        {"why", "baseline", ChoiceSpec::Kind::Text, {"none", "uniform", "twin"}}},
            .drawn = {{"unnamed"}},
            .needs =
                "a model that decodes, classifies, labels tokens, marks an answer or predicts a number, or "
                "a masked model and a text with a mask token",
            .lacks = lacksOutput,
            .isHeld = isHeld};
}

} // namespace headscope::widgets
