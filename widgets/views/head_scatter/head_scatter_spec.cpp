#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

/// The first word is the choice before anybody chooses.
std::vector<std::string> axisWords(const std::string& first) {
    auto words = withStatistics({"importance"});
    std::ranges::rotate(words, std::ranges::find(words, first));
    return words;
}

} // namespace

ViewSpec views::head_scatter() {
    using Kind = ChoiceSpec::Kind;
    return {.key = "head-scatter",
            .title = QT_TRANSLATE_NOOP("ViewSpec", "Scatter"),
            .actions = {{.menu = "&View/&Canvas",
                         .order = 2,
                         .text = QT_TRANSLATE_NOOP("Actions", "Scatter of &All Heads"),
                         .summary = QT_TRANSLATE_NOOP("Actions",
                                                      "All heads as points, by any two of their statistics"),
                         .synonyms = QT_TRANSLATE_NOOP("Actions", "plot, points, outlier, statistics")}},
            .choices = {{"head-scatter", "across", Kind::Text, axisWords("entropy")},
                        {"head-scatter", "up", Kind::Text, axisWords("sink")}},
            .drawn = {{"across"},
                      {"up"},
                      {"importance-of", "importance", "of"},
                      {"ablation", "importance", "ablation"},
                      {"ablation-sentence", "importance", "ablation-sentence"}},
            .staticReason = ofWhole,
            .needsImportance = [](const PictureOptions& options) {
                return isChosen(options, "across", std::string("importance")) ||
                       isChosen(options, "up", std::string("importance"));
            }};
}

} // namespace headscope::widgets
