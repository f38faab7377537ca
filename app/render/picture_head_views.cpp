// Draws views of heads and their statistics, with choices that other panels make in the window.
#include "app/desktop/picture_names.h"
#include "app/render/picture_makers.h"
#include "app/sessions/choice_text.h"
#include "model/analysis/heads/head_ranking.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/importance/importance_view.h"

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

std::shared_ptr<const trace::HeadImportance> importanceOf(const Scene& scene) {
    const auto& request = scene.document->state().request;
    return request ? scene.results->answers()->of(*request, trace::ImportanceWhat()) : nullptr;
}

} // namespace

void followStatistics(const Scene& scene, QObject* by, const ShowStatistics& show) {
    auto* results = scene.results->answers();
    QObject::connect(results, &Results::changed, by, [=, document = scene.document] {
        if (const auto known =
                widgets::shownStatistics({.document = &document->state(), .known = results}, {}))
            show(*known);
    });
    results->want(by, widgets::statisticsQuestions(scene.document->state()));
}

void measureScores(const Scene& scene, const Options& options, const std::string& choice, QMainWindow& window,
                   Stage& stage, const ShowScores& show) {
    auto* view = new widgets::ImportanceView(scene.document->selection(), &window);
    view->hide();
    QObject::connect(view, &widgets::ImportanceView::scoresChanged, view,
                     [view, show] { show(view->scores(), view->caption()); });
    follow(scene, options, *view, stage);
    stage.computed.push_back(
        {.option = optionOf(options, choice),
         .isThere = [=, scene = scene] { return importanceOf(scene) != nullptr; },
         .whyNot =
             [=, scene = scene] {
                 const auto question = widgets::importanceQuestion(scene.document->state());
                 return question ? scene.results->answers()->refusalOf(*question) : std::nullopt;
             }});
    scene.document->measureHeads();
    show(view->scores(), view->caption());
}

widgets::FigureSource* makeHeadPage(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    auto* page = placed(new widgets::HeadPage(&window), scene, options, window, stage);
    auto* table = new widgets::HeadTable(scene.document->selection(), page);
    follow(scene, options, *table, stage);
    table->hide();
    const auto show = [=, scene = scene] {
        page->setFacts(widgets::headFacts(table->known(), scene.document->selection()->head()));
    };
    QObject::connect(table, &widgets::HeadTable::listedChanged, page, show);
    show();
    return page;
}

} // namespace headscope::app
