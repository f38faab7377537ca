#include "widgets/views/catalogue.h"

namespace headscope::widgets {

ViewSpec views::overview() {
    using Kind = ChoiceSpec::Kind;
    return {
        .key = "overview",
        .title = QT_TRANSLATE_NOOP("ViewSpec", "Overview"),
        .choices = {{"overview", "tint", Kind::Text, withStatistics({"none", "importance"})},
                    {"overview", "order", Kind::Text, withStatistics({"model", "similarity", "importance"})},
                    {"overview", "threshold", Kind::Number, {}, 0, 1},
                    {"overview", "search", Kind::Text}},
        .drawn = {{"tint"}, {"order"}, {"threshold"}, {"search"}, {"importance-of", "importance", "of"}},
        .options = {"--pin"},
        .needsImportance = [](const PictureOptions& options) {
            return isChosen(options, "tint", std::string("importance")) ||
                   isChosen(options, "order", std::string("importance"));
        }};
}

} // namespace headscope::widgets
