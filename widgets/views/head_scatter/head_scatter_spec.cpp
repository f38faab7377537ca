#include "widgets/views/catalogue.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

/// By kind before anybody chooses.
std::vector<std::string> colourWords() {
    return withStatistics({"kind", "importance"});
}

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
                        {"head-scatter", "up", Kind::Text, axisWords("sink")},
                        {"head-scatter", "colour", Kind::Text, colourWords()}},
            .drawn = {{"across"},
                      {"up"},
                      {"colour"},
                      {"importance-of", "importance", "of"},
                      {"ablation", "importance", "ablation"},
                      {"ablation-sentence", "importance", "ablation-sentence"}},
            .staticReason = ofWhole,
            .needsImportance = [](const PictureOptions& options) {
                const auto shows = [&](const char* axis) {
                    return isChosen(options, axis, std::string("importance"));
                };
                return shows("across") || shows("up") || shows("colour");
            }};
}

} // namespace headscope::widgets
