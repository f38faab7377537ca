#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::overview() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "overview",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Grid"),
        .actions = {{.name = "toggle",
                     .does = ActionSpec::Does::OpenOrClose,
                     .menu = "&View/&Canvas",
                     .order = 0,
                     .text = QT_TRANSLATE_NOOP("Actions", "&Grid or Heatmap"),
                     .shortcut = "O",
                     .summary =
                         QT_TRANSLATE_NOOP("Actions", "Switch between all heads and the selected head"),
                     .formerKeys = "Ctrl+1",
                     .formerNames = QT_TRANSLATE_NOOP("Actions", "Overview or Heatmap")},
                    {.menu = "&View/&Canvas",
                     .order = 1,
                     .text = QT_TRANSLATE_NOOP("Actions", "G&rid of All Heads"),
                     .summary = QT_TRANSLATE_NOOP("Actions", "All heads of the model at once"),
                     .formerNames = QT_TRANSLATE_NOOP("Actions", "Overview")}},
        .choices = {{"overview", "tint", Kind::Text, withStatistics({"none", "importance"})},
                    {"overview", "order", Kind::Text, withStatistics({"model", "similarity", "importance"})},
                    {"overview", "threshold", Kind::Number, {}, 0, 1},
                    {"overview", "search", Kind::Text}},
        .drawn = {{"tint"},
                  {"order"},
                  {"threshold"},
                  {"search"},
                  {"importance-of", "importance", "of"},
                  {"ablation", "importance", "ablation"},
                  {"ablation-sentence", "importance", "ablation-sentence"}},
        .showsPins = true,
        .needsImportance = [](const PictureOptions& options) {
            return isChosen(options, "tint", std::string("importance")) ||
                   isChosen(options, "order", std::string("importance"));
        }};
}

} // namespace headscope::widgets
