#include "model/trace/recorded_runs.h"
#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    const bool hasOutput = !run.path.empty() || !run.answers().empty();
    return hasOutput && trace::holdsOriginal(*run.model);
}

} // namespace

ViewSpec views::what_if() {
    return {
        .key = "what-if",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "What if"),
        .menu = "&Run",
        .help = QT_TRANSLATE_NOOP(
            "ViewSpec",
            "The changes that you made in the model, and what they do to its output. An output that changes "
            "shows that the model used the part that you changed."),
        .looksSomewhere = false,
        .needs = "a model that decodes, classifies, marks an answer, predicts a number or masked tokens, and "
                 "a change "
                 "in it, such as "
                 "--disable-head",
        .lacks = lacksOutput,
        .ofTrace = "record it with a change and without it: headscope-cli trace --disable-head HEAD "
                   "--undisturbed; or draw it of "
                   "the model that it was recorded from, with a change such as --disable-head",
        .isHeld = isHeld};
}

} // namespace headscope::widgets
