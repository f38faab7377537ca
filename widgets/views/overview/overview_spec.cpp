#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::overview() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "overview",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Overview"),
        .choices =
            {{"overview", "tint", QT_TRANSLATE_NOOP("ChoiceSpec", "Bars of the Overview"), Kind::Text,
              withStatistics({"none", "importance"})},
             {"overview", "order", QT_TRANSLATE_NOOP("ChoiceSpec", "Order of the Overview"), Kind::Text,
              withStatistics({"model", "similarity", "importance"})},
             {"overview", "threshold", QT_TRANSLATE_NOOP("ChoiceSpec", "Grouping"), Kind::Number, {}, 0, 1},
             {"overview", "search", QT_TRANSLATE_NOOP("ChoiceSpec", "Search"), Kind::Text}},
        .drawn = {{"tint"}, {"order"}, {"threshold"}, {"search"}, {"importance-of", "importance", "of"}},
        .options = {"--pin"}};
}

} // namespace headscope::widgets
