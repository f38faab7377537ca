// What can be chosen for the maps, in the window and in its panels, for sessions and undo.
#include "app/document/map_choices.h"
#include "app/results/analyses.h"
#include "app/results/compare_answers.h"
#include "app/results/random_twin.h"
#include "app/window/docks/arithmetic_dock.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/importance_dock.h"
#include "app/window/docks/lens_dock.h"
#include "app/window/docks/panel_places.h"
#include "app/window/docks/random_twin_dock.h"
#include "app/window/main_window.h"
#include "app/window/sentence_panel.h"
#include "app/window/target_language_box.h"
#include "widgets/controls/view_choices.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/training/snapshot_bar.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <array>

namespace headscope::app {

void MainWindow::bindChoices() {
    choices_ = std::make_unique<widgets::ViewChoices>();
    bindMapChoices();
    bindWindowChoices();
    lines_->addChoices(*choices_);
    masks_->addChoices(*choices_);
    scale_->addChoices(*choices_);
    classifier_->addChoices(*choices_);
    architecture_->addChoices(*choices_);
    positions_->addChoices(*choices_);
    compareAnswers_->addChoices(*choices_);
    compare_->addChoices(*choices_);
    overview_->addChoices(*choices_);
    for (auto* view : panelViews_)
        view->addChoices(*choices_);
    bindPanelChoices();
    bindWindowItself();
}

void MainWindow::bindMapChoices() {
    auto& choices = *choices_;
    const auto chosenOf = [this](const std::vector<ActionId>& ids) {
        return [this, ids] {
            int chosen = 0;
            for (std::size_t i = 0; i < ids.size(); ++i)
                if ((*actions_)[ids[i]]->isChecked())
                    chosen = static_cast<int>(i);
            return chosen;
        };
    };
    const auto choose = [this](const std::vector<ActionId>& ids) {
        return
            [this, ids](int place) { (*actions_)[ids[static_cast<std::size_t>(place)]]->setChecked(true); };
    };
    std::vector<ActionId> quantities;
    for (const auto quantity : widgets::allQuantities)
        quantities.push_back(MapChoices::actionOf(quantity));
    const std::vector scales{ActionId::ScaleLinear, ActionId::ScaleLogarithmic, ActionId::ScaleRank};
    choices.addWord("map", "quantity", chosenOf(quantities), choose(quantities));
    choices.addWord("map", "scale", chosenOf(scales), choose(scales));
    const std::array flags{std::pair("per-row", ActionId::MapColourPerRow),
                           std::pair("without-special", ActionId::MapWithoutSpecial),
                           std::pair("words", ActionId::MapWords),
                           std::pair("transposed", ActionId::MapTransposed),
                           std::pair("numbers", ActionId::MapNumbers),
                           std::pair("received", ActionId::MapReceived),
                           std::pair("losses", ActionId::MapLosses)};
    for (const auto& [name, id] : flags)
        choices.add("map", name, (*actions_)[id]);
    compared_->addChoices(choices);
}

void MainWindow::bindWindowChoices() {
    auto& choices = *choices_;
    choices.add("window", "space-marks", (*actions_)[ActionId::SpaceMarks]);
    choices.add("window", "source-share", (*actions_)[ActionId::SourceShare]);
    choices.addFlag(
        "window", "same-output", [this] { return snapshots_->keepsOutput(); },
        [this](bool keeps) { snapshots_->setKeepsOutput(keeps); });
    choices.add("window", "step-by-step", (*actions_)[ActionId::StepByStep]);
    auto* language = sentence_->language();
    choices.addText(
        "window", "language", [language] { return language->language(); },
        [language](const QString& code) { language->setLanguage(code); });
    choices.addText(
        "window", "rather-than",
        [this] { return QString::fromStdString(analyses_->ratherThan().value_or(std::string())); },
        [this](const QString& token) { analyses_->setRatherThan(token); });
    choices.addWord(
        "heads", "by", [this] { return headTable_->tint() ? static_cast<int>(*headTable_->tint()) + 1 : 0; },
        [this](int place) {
            headTable_->chooseTint(place > 0 ? std::optional(static_cast<analysis::Statistic>(place - 1))
                                             : std::nullopt);
        });
    choices.add("heads", "tinted", (*actions_)[ActionId::TintHeads]);
    choices.add("heads", "sorted", (*actions_)[ActionId::SortHeads]);
    choices.add("heads", "layer", (*actions_)[ActionId::OneLayer]);
}

void MainWindow::bindPanelChoices() {
    auto& choices = *choices_;
    choices.add(
        "branches", "names",
        [this] {
            std::vector<std::string> names;
            for (const QString& name : branches_->givenNames())
                names.push_back(name.toStdString());
            return widgets::ChoiceValue(names);
        },
        [this](const widgets::ChoiceValue& value) {
            QStringList names;
            for (const auto& name : std::get<std::vector<std::string>>(value))
                names += QString::fromStdString(name);
            branches_->giveNames(names);
        });
    arithmetic_->view()->addChoices(choices);
    headTable_->table()->addChoices(choices);
    importance_->view()->addChoices(choices);
    choices.add("logit-lens", "of", widgets::control<QComboBox>(lens_, "whose-layers"));
    lens_->lens()->addChoices(choices);
    lens_->attribution()->addChoices(choices);
    auto* twin = (*actions_)[ActionId::RandomTwin];
    choices.addFlag(
        "random-twin", "on", [twin] { return twin->isChecked(); }, [twin](bool) { twin->trigger(); });
    choices.addText(
        "random-twin", "seed", [this] { return QString::number(twin_->seed()); },
        [this](const QString& digits) {
            bool isNumber = false;
            if (const auto seed = digits.toULongLong(&isNumber); isNumber)
                showTwinOf(seed);
        });
}

void MainWindow::showTwinOf(std::uint64_t seed) {
    twinDock_->panel()->setSeed(seed);
    twin_->setSeed(seed);
}

/// Panels last: other choices open some of them.
void MainWindow::bindWindowItself() {
    const std::vector<QString> themes{"system", "light", "dark"};
    choices_->addWord(
        "window", "theme",
        [this, themes] {
            const auto found = std::ranges::find(themes, settings_.theme());
            return found == themes.end() ? 0 : static_cast<int>(found - themes.begin());
        },
        [this, themes](int place) { chooseTheme(themes[static_cast<std::size_t>(place)]); });
    choices_->add(
        "window", "panels-aside", [this] { return widgets::ChoiceValue(aside_); },
        [this](const widgets::ChoiceValue& value) { aside_ = std::get<std::vector<std::string>>(value); });
    choices_->add(
        "window", "panels", [this] { return widgets::ChoiceValue(panels_->words()); },
        [this](const widgets::ChoiceValue& value) {
            if (!layout_->arePanelsLeft())
                panels_->set(std::get<std::vector<std::string>>(value));
        });
    choices_->add(
        "window", "arrangement", [this] { return widgets::ChoiceValue(panels_->arrangement()); },
        [this](const widgets::ChoiceValue& value) {
            if (!layout_->arePanelsLeft())
                panels_->setArrangement(std::get<std::string>(value));
        });
}

} // namespace headscope::app
