#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool isHeld(const trace::Run& run, const KnownResults&, const std::stop_token&) {
    return !run.path.empty();
}

} // namespace

ViewSpec views::paths() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "paths",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Paths"),
        .synonyms = QT_TRANSLATE_NOOP("Actions", "branches, beam tree, hypotheses"),
        .actions = {{.does = ActionSpec::Does::OpenOrClose,
                     .menu = "&Run",
                     .order = 2,
                     .text = QT_TRANSLATE_NOOP("Actions", "T&ree of Paths"),
                     .shortcut = "Ctrl+Shift+B",
                     .summary = QT_TRANSLATE_NOOP("Actions",
                                                  "Show or hide all paths: branches, forced translations, "
                                                  "and hypotheses of the beam search, including pruned ones"),
                     .synonyms = QT_TRANSLATE_NOOP("Actions", "branches, hypotheses"),
                     .formerNames = QT_TRANSLATE_NOOP("Actions", "Beam Tree")}},
        .choices = {{"paths", "rows", Kind::Text, {"all", "kept", "mine", "every"}},
                    {"paths", "score", Kind::Text, {"total", "mean", "final"}}},
        .drawn = {{"rows"}, {"score"}, {"branches", "compare", "branches"}, {"names", "branches", "names"}},
        .pictureChoices = {{"compare", "branches", Kind::Texts}},
        .staticReason = ofWhole,
        .needs = "a model that decodes",
        .lacks = lacksDecoder,
        .isHeld = isHeld};
}

} // namespace headscope::widgets
