#include "widgets/views/catalogue.h"

namespace headscope::widgets {

namespace {

bool needsImportance(const PictureOptions& options) {
    const bool isRanked = isChosen(options, "tinted", true) || isChosen(options, "sorted", true);
    return isRanked &&
           (!options.choices.contains("by") || isChosen(options, "by", std::string("importance")));
}

/// Bars, or their order, that are of the step.
bool followsImportance(const PictureOptions& options) {
    return needsImportance(options) && !isChosen(options, "importance-of", std::string("sentence"));
}

StaticReason staticReason(const PictureOptions& options) {
    return followsImportance(options) ? StaticReason::None : ofEncoder(options);
}

} // namespace

ViewSpec views::head_grid() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "contact-sheet",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Heads"),
        .menu = "&Analyse",
        .actions = {{.name = "tinted",
                     .does = ActionSpec::Does::Choose,
                     .menu = "&Analyse",
                     .order = 4,
                     .text = QT_TRANSLATE_NOOP("Actions", "Bars of &Importance under Heads"),
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Show below each small map whether the head helps or hurts"),
                     .choice = "tinted"},
                    {.name = "sorted",
                     .does = ActionSpec::Does::Choose,
                     .menu = "&Analyse",
                     .order = 5,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Sort Heads by Importance"),
                     .summary = QT_TRANSLATE_NOOP("Actions",
                                                  "Order the small maps by importance instead of by layer"),
                     .choice = "sorted"},
                    {.name = "layer",
                     .does = ActionSpec::Does::Choose,
                     .menu = "&Analyse",
                     .order = 6,
                     .text = QT_TRANSLATE_NOOP("Actions", "Heads of One La&yer"),
                     .summary = QT_TRANSLATE_NOOP("Actions",
                                                  "Show only the selected head's layer, with larger maps"),
                     .choice = "layer"},
                    {.name = "export-layer",
                     .does = ActionSpec::Does::Act,
                     .menu = "&File",
                     .order = 0,
                     .text = QT_TRANSLATE_NOOP("Actions", "Export This La&yer..."),
                     .summary = QT_TRANSLATE_NOOP(
                         "Actions", "Export the maps of all heads in the selected head's layer as a picture"),
                     .isOfHead = true}},
        .choices = {{"heads", "tinted", Kind::Flag},
                    {"heads", "sorted", Kind::Flag},
                    {"heads", "by", Kind::Text, withStatistics({"importance"})},
                    {"heads", "layer", Kind::Flag},
                    {"heads", "one-kind", Kind::Flag}},
        .choicesOf = "heads",
        .drawn = {{"by"},
                  {"tinted"},
                  {"sorted"},
                  {"layer"},
                  {"one-kind"},
                  {"importance-of", "importance", "of"},
                  {"ablation", "importance", "ablation"},
                  {"ablation-sentence", "importance", "ablation-sentence"}},
        .showsPins = true,
        .staticReason = staticReason,
        .needsImportance = needsImportance};
}

} // namespace headscope::widgets
