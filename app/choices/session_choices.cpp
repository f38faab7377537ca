#include "app/choices/session_choices.h"

#include "widgets/view_spec.h"

#include <algorithm>
#include <iterator>

namespace headscope::app {

namespace {

/// What is of no view.
std::vector<widgets::ChoiceSpec> windowChoices() {
    using Kind = widgets::ChoiceSpec::Kind;
    return {{"window", "space-marks", Kind::Flag},
            {"window", "source-share", Kind::Flag},
            {"window", "same-output", Kind::Flag},
            {"window", "step-by-step", Kind::Flag},
            {"window", "language", Kind::Text},
            {"window", "rather-than", Kind::Text},
            {"window", "theme", Kind::Text, {"system", "light", "dark"}, 0, 0, false, true},
            // The last, as others open panels, too.
            {"window", "panels-aside", Kind::Texts, {}, 0, 0, true},
            {"window", "panels", Kind::Texts, {}, 0, 0, true},
            {"window", "arrangement", Kind::Text, {}, 0, 0, false, true}};
}

} // namespace

const std::vector<widgets::ChoiceSpec>& choiceSpecs() {
    static const std::vector<widgets::ChoiceSpec> all = [] {
        auto choices = widgets::sharedChoices();
        for (const auto& view : widgets::viewSpecs())
            std::ranges::copy(view.choices, std::back_inserter(choices));
        std::ranges::move(windowChoices(), std::back_inserter(choices));
        return choices;
    }();
    return all;
}

const widgets::ChoiceSpec* choiceSpec(const std::string& view, const std::string& name) {
    const auto& all = choiceSpecs();
    const auto found = std::ranges::find_if(
        all, [&](const widgets::ChoiceSpec& choice) { return choice.view == view && choice.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const widgets::ChoiceSpec* pictureChoice(const std::string& view, const std::string& choice) {
    const auto* spec = widgets::viewSpec(view);
    if (!spec)
        return nullptr;
    const auto drawn =
        std::ranges::find_if(spec->drawn, [&](const auto& each) { return each.name == choice; });
    if (drawn == spec->drawn.end())
        return nullptr;
    const auto own = std::ranges::find(spec->pictureChoices, choice, &widgets::ChoiceSpec::name);
    if (own != spec->pictureChoices.end())
        return &*own;
    return choiceSpec(drawn->view       ? drawn->view
                      : spec->choicesOf ? spec->choicesOf
                                        : spec->key,
                      drawn->choice ? drawn->choice : choice);
}

} // namespace headscope::app
