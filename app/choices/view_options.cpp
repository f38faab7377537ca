#include "app/choices/view_options.h"

#include "app/choices/picture_options.h"
#include "app/models/training_log.h"

#include <algorithm>

namespace headscope::app {

namespace {

using Views = std::vector<const char*>;

/// But what shows the decoding, or a training, wherever a person looks.
Views thatLookSomewhere() {
    const std::vector<std::string> ofTheWhole{"branches", "reference", "what-if", trainingView};
    Views views;
    for (const auto& view : pictureViews())
        if (std::ranges::find(ofTheWhole, view.name) == ofTheWhole.end())
            views.push_back(view.name);
    return views;
}

Views thatHave(bool (*has)(const PictureView&)) {
    Views views;
    for (const auto& view : pictureViews())
        if (has(view))
            views.push_back(view.name);
    return views;
}

bool hasPages(const PictureView& view) {
    return !view.pages.empty() || pictureChoice(view.name, "page");
}

bool hasChoices(const PictureView& view) {
    return !view.choices.empty();
}

} // namespace

const std::vector<ViewOption>& viewOptions() {
    static const Views looking = thatLookSomewhere();
    static const Views maps{"heatmap", "random-twin"};
    static const Views mapsInWords{"heatmap", "arithmetic", "random-twin"}; // or in what is said of them
    static const Views besides{"inputs", "compare"};
    static const std::vector<ViewOption> options{
        {"--head", looking},
        {"--step", looking},
        {"--cell", looking},
        {"--query", looking},
        {"--key", looking},
        {"--pin", {"overview", "heatmap", "contact-sheet"}},
        {"--quantity", mapsInWords},
        {"--without-special", mapsInWords},
        {"--words", {"heatmap", "lines", "arithmetic", "random-twin"}},
        {"--scale", maps},
        {"--per-row", maps},
        {"--transposed", maps},
        {"--numbers", maps},
        {"--received", maps},
        {"--losses", maps},
        {"--lines-of", {"lines"}},
        {"--side", {"positions"}},
        {"--dimensions", {"positions"}},
        {"--count", {"positions"}},
        {"--offset", {"positions"}},
        {"--beside", besides},
        {"--beside-length", besides},
        {"--page", thatHave(hasPages)},
        {"--choose", thatHave(hasChoices)}};
    return options;
}

bool isUsed(const std::string& option, const std::string& view) {
    const auto rule = std::ranges::find(viewOptions(), option, &ViewOption::option);
    return rule == viewOptions().end() || std::ranges::find(rule->views, view) != rule->views.end();
}

} // namespace headscope::app
