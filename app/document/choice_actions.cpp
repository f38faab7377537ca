#include "app/document/choice_actions.h"

#include "widgets/map/map_options.h"

#include <QAction>

#include <algorithm>
#include <variant>

namespace headscope::app {

namespace {

struct Bound {
    std::string view;
    std::string name;
    std::vector<ActionId> actions; ///< one for each word, or that of a flag
};

/// Those of views are rows of their specs.
const std::vector<Bound>& boundActions() {
    static const std::vector<Bound> all{
        {widgets::quantityChoice().view,
         widgets::quantityChoice().name,
         {ActionId::ShowWeights, ActionId::ShowScores, ActionId::ShowOpenScores, ActionId::ShowNormWeighted,
          ActionId::ShowNormShares, ActionId::ShowRollout, ActionId::ShowContributions,
          ActionId::ShowGradient}},
        {widgets::scaleChoice().view,
         widgets::scaleChoice().name,
         {ActionId::ScaleLinear, ActionId::ScaleLogarithmic, ActionId::ScaleRank}},
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) {"map", NAME, {ActionId::ACTION}},
#include "widgets/map_flags.def"
#undef MAP_FLAG
        {"window", "space-marks", {ActionId::SpaceMarks}},
        {"window", "step-by-step", {ActionId::StepByStep}}};
    return all;
}

/// The value that an action stands for.
widgets::ChoiceValue valueOfAction(const widgets::ChoiceSpec& choice, std::size_t action) {
    return choice.words.empty() ? widgets::ChoiceValue(true) : widgets::ChoiceValue(choice.words.at(action));
}

} // namespace

ChoiceActions::ChoiceActions(Document* document, Actions* actions, QObject* parent)
    : QObject(parent), document_(document), actions_(actions) {
    for (const Bound& bound : boundActions())
        for (std::size_t i = 0; const ActionId id : bound.actions)
            if (const auto* choice = widgets::choiceSpec(bound.view, bound.name))
                connect((*actions)[id], &QAction::toggled, this,
                        [this, choice, value = valueOfAction(*choice, i++)](bool on) {
                            if (on || choice->words.empty())
                                document_->choose(choice->view, choice->name, on ? value : false);
                        });
    connect(document, &Document::stateChanged, this, &ChoiceActions::follow);
    follow();
}

std::vector<ActionId> ChoiceActions::of(const std::string& view, const std::string& name) {
    const auto found = std::ranges::find_if(
        boundActions(), [&](const Bound& each) { return each.view == view && each.name == name; });
    return found == boundActions().end() ? std::vector<ActionId>() : found->actions;
}

void ChoiceActions::follow() {
    const auto& state = document_->state();
    for (const Bound& bound : boundActions())
        for (std::size_t i = 0; const ActionId id : bound.actions)
            if (const auto* choice = widgets::choiceSpec(bound.view, bound.name))
                (*actions_)[id]->setChecked(widgets::chosenValue(state, *choice) ==
                                            valueOfAction(*choice, i++));
    actions_->setEnabled(
        ActionId::MapWords, !widgets::isScore(widgets::mapOptionsOf(state).quantity),
        tr("Scores exist per token only: averaging a word's rows has no meaning before the softmax."));
}

} // namespace headscope::app
