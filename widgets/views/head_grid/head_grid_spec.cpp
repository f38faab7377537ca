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
    return {.key = "contact-sheet",
            .choices = {{"heads", "tinted", Kind::Flag},
                        {"heads", "sorted", Kind::Flag},
                        {"heads", "by", Kind::Text, withStatistics({"importance"})},
                        {"heads", "layer", Kind::Flag}},
            .choicesOf = "heads",
            .drawn = {{"by"}, {"tinted"}, {"sorted"}, {"layer"}, {"importance-of", "importance", "of"}},
            .options = {"--pin"},
            .staticReason = staticReason,
            .needsImportance = needsImportance};
}

} // namespace headscope::widgets
