#include "app/window/window_choices.h"

#include "app/document/decode_controller.h"
#include "app/document/map_choices.h"
#include "app/window/docks/panels.h"
#include "app/window/side_panels.h"
#include "app/window/tabs.h"
#include "app/window/theme_actions.h"
#include "app/window/top/language_box.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/window_places.h"
#include "widgets/controls/snapshot_bar.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QTabBar>

#include <algorithm>

namespace headscope::app {

namespace {

/// Binds a choice to a group of actions, one of which is checked.
void addActions(widgets::ViewChoices& choices, const char* view, const char* name, const Actions& actions,
                const std::vector<ActionId>& ids) {
    choices.addWord(
        view, name,
        [&actions, ids] {
            int chosen = 0;
            for (std::size_t i = 0; i < ids.size(); ++i)
                if (actions[ids[i]]->isChecked())
                    chosen = static_cast<int>(i);
            return chosen;
        },
        [&actions, ids](int place) { actions[ids[static_cast<std::size_t>(place)]]->setChecked(true); });
}

void bindMap(widgets::ViewChoices& choices, const Actions& actions) {
    std::vector<ActionId> quantities;
    for (const auto quantity : widgets::allQuantities)
        quantities.push_back(MapChoices::actionOf(quantity));
    addActions(choices, "map", "quantity", actions, quantities);
    addActions(choices, "map", "scale", actions,
               {ActionId::ScaleLinear, ActionId::ScaleLogarithmic, ActionId::ScaleRank});
#define MAP_FLAG(MEMBER, ACTION, NAME, ...) choices.add("map", NAME, actions[ActionId::ACTION]);
#include "widgets/map_flags.def"
#undef MAP_FLAG
}

void bindTop(widgets::ViewChoices& choices, const ChoosableParts& parts) {
    const auto& actions = *parts.actions;
    choices.add("window", "space-marks", actions[ActionId::SpaceMarks]);
    for (const auto& view : widgets::viewSpecs())
        for (const auto& action : view.actions)
            if (action.does == widgets::ActionSpec::Does::Show)
                choices.add(std::ranges::find(view.choices, action.choice, &widgets::ChoiceSpec::name)->view,
                            action.choice, actions[widgets::actionKey(view, action)]);
    auto* snapshots = parts.snapshots;
    choices.addFlag(
        "window", "same-output", [snapshots] { return snapshots->keepsOutput(); },
        [snapshots](bool keeps) { snapshots->setKeepsOutput(keeps); });
    choices.add("window", "step-by-step", actions[ActionId::StepByStep]);
    auto* language = parts.sentence->language();
    choices.addText(
        "window", "language", [language] { return language->language(); },
        [language](const QString& code) { language->setLanguage(code); });
    auto* controller = parts.controller;
    choices.addText(
        "window", "rather-than",
        [controller] { return QString::fromStdString(controller->ratherThan().value_or(std::string())); },
        [controller](const QString& token) { controller->setRatherThan(token); });
}

void bindPanels(widgets::ViewChoices& choices, const ChoosableParts& parts) {
    const auto& panels = *parts.panels;
    for (auto* view : panels.views())
        view->addChoices(choices);
}

/// The panels come last, as other choices open some of them.
void bindWindow(widgets::ViewChoices& choices, const ChoosableParts& parts) {
    choices.add(
        "window", "panels-aside", [sides = parts.sides] { return widgets::ChoiceValue(sides->aside()); },
        [sides = parts.sides](const widgets::ChoiceValue& value) {
            sides->setAside(std::get<std::vector<std::string>>(value));
        });
    choices.add(
        "window", "panels", [places = parts.places] { return widgets::ChoiceValue(places->panels()); },
        [places = parts.places](const widgets::ChoiceValue& value) {
            places->setPanels(std::get<std::vector<std::string>>(value));
        });
}

} // namespace

void bindChoices(widgets::ViewChoices& choices, const ChoosableParts& parts) {
    bindMap(choices, *parts.actions);
    bindTop(choices, parts);
    for (auto* view : parts.tabs->views())
        view->addChoices(choices);
    bindPanels(choices, parts);
    bindWindow(choices, parts);
}

} // namespace headscope::app
