#include "app/export/shown_picture.h"

#include "app/document/zoom_choices.h"

namespace headscope::app {

std::optional<PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                           const widgets::Selection& selection, const Choices& chosen,
                                           const Choices& usual) {
    auto picture = seenView(figure, selection);
    if (!picture)
        return std::nullopt;
    for (const auto& view : pictureViews())
        if (view.name == picture->view)
            for (const char* choice : view.choices) {
                const auto& rule = *pictureChoice(view.name, choice);
                if (const auto value = chosenValue(chosen, rule.view, rule.name);
                    value && value != chosenValue(usual, rule.view, rule.name))
                    picture->choices[choice] = *value;
            }
    if (picture->view == "heatmap")
        sayZoom(*picture, figure);
    return sayChoices(*picture, figure, chosen) ? picture : std::nullopt;
}

} // namespace headscope::app
