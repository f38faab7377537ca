#include "tests/gallery/exhibits.h"

#include "tests/widgets/answered_at_once.h"
#include "tests/widgets/compared_runs.h"
#include "tests/widgets/random_twin_runs.h"
#include "widgets/controls/tall_area.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/what_if/what_if_view.h"

namespace headscope::gallery {

using namespace widgets;

namespace {

/// Every mark a change leaves, on a run of any length.
template <class View>
Make changed(trace::HeadAddress head) {
    return [=](Selection* selection, std::shared_ptr<const trace::Run> run) -> QWidget* {
        if (run) {
            auto copy = std::make_shared<trace::Run>(*run);
            copy->request.interventions = example::changes();
            run = std::move(copy);
        }
        return viewOf<View>(head)(selection, std::move(run));
    };
}

/// Scores of half their size in the changed model.
QWidget* scaledScores(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new WhatIfView(selection);
    if (!run)
        return view; // without it there is no comparison
    selection->setHead(example::aligningHead);
    const auto runs = example::comparedRuns();
    runs.forced->request.interventions = {{trace::SoftmaxTemperature{.temperature = 2}}};
    example::scaleScores(*runs.forced, 0.5);
    view->setRuns(runs.changed, runs.original, runs.forced);
    view->setSteps(analysis::compareSteps(*runs.original, *runs.forced));
    return new TallArea(view); // as it stands in the window
}

QWidget* whatIf(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* view = new WhatIfView(selection);
    selection->setStep(5);
    if (!run)
        return view;
    const auto runs = example::comparedRuns();
    auto* answers = example::givenAnswers(view);
    answers->document().model = runs.changed->model;
    answers->document().changes = example::changes();
    answers->document().run = runs.changed;
    view->refresh();
    view->setRuns(runs.changed, runs.original, runs.forced);
    view->setSteps(analysis::compareSteps(*runs.original, *runs.forced));
    view->setMinimumHeight(view->heightForWidth(320)); // as the area gives it in the window, which scrolls
    return view;
}

QWidget* twin(Selection* selection, std::shared_ptr<const trace::Run> run) {
    auto* panel = new RandomTwinPanel(selection);
    panel->setSeed(1);
    selection->setHead(example::aligningHead);
    selection->setStep(5);
    if (!run)
        return panel;
    const auto runs = example::twinRuns(run);
    panel->setRuns(runs.shown, runs.twin);
    panel->setEntropies(analysis::compareEntropy(*runs.shown, *runs.twin, example::aligningHead));
    return panel;
}

} // namespace

QList<Exhibit> changeExhibits() {
    using trace::AttentionKind;
    return {
        {"grid-changed", changed<HeadGridView>(example::aligningHead), large},
        {"heatmap-changed", changed<HeatmapView>({{AttentionKind::Cross, 0}, 1}), large},
        {"what-if", whatIf, {{320, 640}, {240, 480}}},
        {"random-twin", twin, {{1100, 340}, {360, 640}}},
        {"scaled-scores", scaledScores, {{320, 560}, {240, 560}}},
    };
}

} // namespace headscope::gallery
