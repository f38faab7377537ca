// Draws views of heads and their statistics, with choices that other panels make in the window.
#include "app/desktop/actions.h"
#include "app/desktop/picture_names.h"
#include "app/render/picture_makers.h"
#include "app/results/analyses.h"
#include "app/results/random_twin.h"
#include "app/results/random_twin_dock.h"
#include "app/results/shown_statistics.h"
#include "app/sessions/choice_text.h"
#include "model/analysis/heads/head_ranking.h"
#include "model/trace/recorded_runs.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

std::string optionOf(const Options& options, const std::string& choice) {
    return "--choose " + choice + "=" + choiceText(options.choices.at(choice));
}

/// `choice` shows head importance.
void measureImportance(const Scene& scene, const Options& options, const std::string& choice, Stage& stage) {
    stage.computed.push_back(
        {.option = optionOf(options, choice),
         .isThere = [analyses = scene.results->analyses()] { return analyses->importance() != nullptr; },
         .whyNot = [analyses = scene.results->analyses()] { return analyses->whyNoImportance(); }});
    scene.results->analyses()->measureImportance();
}

/// Creates the head table with all that is known about the shown run's heads; the head page reads one head
/// from it.
widgets::HeadTable* headTable(const Scene& scene, const Options& options, QWidget* parent, Stage& stage) {
    auto* table = new widgets::HeadTable(scene.document->selection(), parent);
    auto* statistics = new ShownStatistics(scene.document->queue(), scene.document->controller(), scene.results->twin(), table);
    QObject::connect(statistics, &ShownStatistics::changed, table, [=] {
        table->setStatistics(statistics->heads());
        table->setTwin(statistics->twinHeads());
    });
    table->setRun(scene.document->controller()->run());
    if (widgets::isChosen(options, "importance", true)) {
        const auto rank = [=, scene = scene] {
            if (const auto& measured = scene.results->analyses()->importance(); measured && measured->complete)
                table->setImportance(analysis::headScores(*measured, std::nullopt));
        };
        QObject::connect(scene.results->analyses(), &Analyses::importanceChanged, table, rank);
        measureImportance(scene, options, "importance", stage);
        rank(); // it may be known already
    }
    if (widgets::isChosen(options, "twin", true))
        chooseTwin(
            scene, options, "twin", [twin = scene.results->twin()] { return twin->run() != nullptr; },
            [twin = scene.results->twin()] { return twin->whyNone(); }, stage);
    statistics->setWanted(table, true);
    return table;
}

} // namespace

void switchTwinOn(const Scene& scene, const Options& options) {
    if (const auto seed = options.choices.find("twin-seed"); seed != options.choices.end()) {
        bool isNumber = false;
        const auto digits = QString::fromStdString(std::get<std::string>(seed->second));
        if (const auto number = digits.toULongLong(&isNumber); isNumber)
            scene.results->twin()->setSeed(number);
    } else if (const auto held = trace::recordedTwin(*scene.document->controller()->run()->model)) {
        scene.results->twin()->setSeed(*held);
    }
    scene.results->twin()->setOn(true);
}

void chooseTwin(const Scene& scene, const Options& options, const std::string& choice,
                std::function<bool()> isThere, std::function<std::optional<trace::RefusalText>()> whyNot,
                Stage& stage) {
    stage.computed.push_back(
        {.option = optionOf(options, choice), .isThere = std::move(isThere), .whyNot = std::move(whyNot)});
    switchTwinOn(scene, options);
}

void measureScores(const Scene& scene, const Options& options, const std::string& choice, QMainWindow& window,
                   Stage& stage, const ShowScores& show) {
    auto* view = new widgets::ImportanceView(scene.document->selection(), &window);
    view->hide();
    view->setRun(scene.document->controller()->run());
    view->addChoices(stage.choices);
    QObject::connect(scene.results->analyses(), &Analyses::importanceChanged, view,
                     [=, scene = scene] { view->setImportance(scene.results->analyses()->importance()); });
    QObject::connect(view, &widgets::ImportanceView::scoresChanged, view,
                     [view, show] { show(view->scores(), view->caption()); });
    measureImportance(scene, options, choice, stage);
    view->setImportance(scene.results->analyses()->importance()); // it may be known already
    show(view->scores(), view->caption());
}

widgets::FigureSource* makeHeadTable(const Scene& scene, const Options& options, QMainWindow& window,
                                     Stage& stage) {
    auto* table = placed(headTable(scene, options, &window, stage), scene, options, window, stage);
    return table;
}

widgets::FigureSource* makeHeadPage(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    auto* page = placed(new widgets::HeadPage(&window), scene, options, window, stage);
    auto* table = headTable(scene, options, page, stage);
    table->hide();
    const auto show = [=, scene = scene] {
        page->setFacts(widgets::headFacts(table->known(), scene.document->selection()->head()));
    };
    QObject::connect(table, &widgets::HeadTable::listedChanged, page, show);
    show();
    return page;
}

widgets::FigureSource* makeRandomTwin(const Scene& scene, const Options& options, QMainWindow& window,
                                      Stage&) {
    auto* actions = new Actions(&window);
    switchTwinOn(scene, options);
    auto* dock = new RandomTwinDock(scene.document->queue(), scene.results->twin(), scene.document->selection(), *actions, &window);
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    dock->setSpaceMarksShown(options.spaceMarks);
    dock->setMapOptions(widgets::mapOptionsOf(options));
    return dock->panel();
}

} // namespace headscope::app
