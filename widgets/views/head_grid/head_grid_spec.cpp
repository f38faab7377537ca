#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

/// Bars, or their order, that are of the step.
bool followsImportance(const PictureOptions& options) {
    const bool isRanked = isChosen(options, "tinted", true) || isChosen(options, "sorted", true);
    const bool byImportance =
        !options.choices.contains("by") || isChosen(options, "by", std::string("importance"));
    return isRanked && byImportance && !isChosen(options, "importance-of", std::string("sentence"));
}

StaticReason staticReason(const PictureOptions& options) {
    return followsImportance(options) ? StaticReason::None : ofEncoder(options);
}

} // namespace

ViewSpec views::head_grid() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "contact-sheet",
        .choices = {{"heads", "tinted", QT_TRANSLATE_NOOP("ChoiceSpec", "Bars under the Heads"), Kind::Flag},
                    {"heads", "sorted", QT_TRANSLATE_NOOP("ChoiceSpec", "Sort Heads"), Kind::Flag},
                    {"heads", "by", QT_TRANSLATE_NOOP("ChoiceSpec", "Tint of the Heads"), Kind::Text,
                     withStatistics({"importance"})},
                    {"heads", "layer", QT_TRANSLATE_NOOP("ChoiceSpec", "Only This Layer"), Kind::Flag}},
        .choicesOf = "heads",
        .drawn = {{"by"}, {"tinted"}, {"sorted"}, {"layer"}, {"importance-of", "importance", "of"}},
        .options = {"--pin"},
        .staticReason = staticReason};
}

} // namespace headscope::widgets
