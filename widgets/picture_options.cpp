#include "widgets/picture_options.h"

namespace headscope::widgets {

bool isChosen(const PictureOptions& options, const std::string& choice, const ChoiceValue& value) {
    return chosenValue(options, choice) == value;
}

PictureOptions ofView(PictureOptions options, const char* view, const std::string& page) {
    options.view = view;
    if (!page.empty())
        options.choices["page"] = page;
    return options;
}

PictureOptions ofTheWhole(const char* view) {
    return {.view = view};
}

std::optional<ChoiceValue> chosenValue(const PictureOptions& options, const std::string& choice) {
    const auto found = options.choices.find(choice);
    return found == options.choices.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ChoiceValue> chosenValue(const Choices& choices, const std::string& view,
                                       const std::string& choice) {
    const auto known = choices.find(view);
    if (known == choices.end() || !known->second.contains(choice))
        return std::nullopt;
    return known->second.at(choice);
}

bool isChosen(const Choices& choices, const char* view, const char* choice, const ChoiceValue& value) {
    return chosenValue(choices, view, choice) == value;
}

void sayTwin(PictureOptions& picture, const Choices& chosen) {
    if (const auto seed = chosenValue(chosen, "random-twin", "seed"))
        picture.choices["twin-seed"] = *seed;
}

void sayBaseline(PictureOptions& picture, const Choices& chosen, bool isDrawn) {
    picture.choices.erase("twin-seed");
    if (!isDrawn)
        picture.choices.erase("baseline");
    if (isDrawn && isChosen(chosen, "why", "baseline", std::string("twin")))
        sayTwin(picture, chosen);
}

void sayAblation(PictureOptions& picture, const Choices& chosen) {
    for (const char* choice : {"ablation", "ablation-sentence"})
        if (const auto value = chosenValue(chosen, "importance", choice))
            picture.choices[choice] = *value;
}

} // namespace headscope::widgets
