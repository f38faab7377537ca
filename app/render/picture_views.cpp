#include "app/export/picture_names.h"
#include "app/render/picture_makers.h"
#include "app/results/classifier_answers.h"
#include "app/results/compare_answers.h"
#include "app/results/flow_answers.h"
#include "app/results/late_counts.h"
#include "app/results/position_answers.h"
#include "app/results/scale_answers.h"
#include "app/window/actions.h"
#include "app/window/docks/arithmetic_dock.h"
#include "model/trace/refusal.h"
#include "widgets/map/map_options.h"
#include "widgets/view_spec.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/beam_tree/beam_tree_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/scale/scale_view.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace headscope::app {

namespace {

using Scene = PictureScene;
using Options = widgets::PictureOptions;
using Stage = PictureOnStage;

/// "0,2" are the heads that are to be seen, whatever is at first.
void chooseLines(widgets::LinesView& view, const std::string& heads, int count) {
    if (heads == "all")
        return view.setShown(widgets::LinesView::Shown::AllHeads);
    std::vector<int> wanted;
    std::istringstream parts(heads);
    for (std::string part; std::getline(parts, part, ',');) {
        const int head = std::stoi(part);
        if (head >= count || wanted.size() == widgets::LinesView::mostChosen)
            throw trace::Refusal({.what = "These heads cannot be drawn beside each other",
                                  .where = "--lines-of",
                                  .expected = "at most " + std::to_string(widgets::LinesView::mostChosen) +
                                              " heads below " + std::to_string(count),
                                  .found = heads,
                                  .wayOut = "name fewer, or all"});
        wanted.push_back(head);
    }
    const auto shown = view.heads();
    for (const int head : wanted)
        if (std::find(shown.begin(), shown.end(), head) == shown.end())
            view.toggleHead(head);
    for (const int head : shown)
        if (std::find(wanted.begin(), wanted.end(), head) == wanted.end())
            view.toggleHead(head);
}

widgets::FigureSource* lines(const Scene& scene, const Options& options, QMainWindow& window, Stage&) {
    auto* view = placed(new widgets::LinesView(scene.selection), window);
    (new LateCounts(scene.queue, view))->serve(view, RunQueue::Slot::Lines);
    const auto& run = scene.controller->run();
    view->setSpaceMarksShown(options.spaceMarks);
    view->setWordsShown(options.words);
    view->setRun(run);
    if (!options.lines.empty())
        chooseLines(*view, options.lines, run->model->heads(scene.selection->head().site.kind));
    return view;
}

widgets::FigureSource* arithmetic(const Scene& scene, const Options& options, QMainWindow& window,
                                  Stage& stage) {
    auto* actions = new Actions(&window);
    auto* dock = new ArithmeticDock(scene.queue, scene.controller, scene.selection, *actions, &window);
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    dock->view()->setSpaceMarksShown(options.spaceMarks);
    dock->view()->setMapOptions(widgets::mapOptionsOf(options));
    dock->view()->addChoices(stage.choices);
    stage.why = [view = dock->view()] { return view->hasFigure() ? QString() : view->whyEmpty(); };
    return dock->view();
}

widgets::FigureSource* masks(const Scene& scene, const Options& options, QMainWindow& window, Stage&) {
    auto* view = placed(new widgets::MaskView(scene.selection), window);
    (new LateCounts(scene.queue, view))->serve(view, RunQueue::Slot::Masks);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->setPage(static_cast<widgets::MaskView::Page>(widgets::pageNumber(options)));
    return view;
}

[[noreturn]] void refuseDimensions(const std::vector<int>& wanted, int count) {
    std::string found;
    for (const int dimension : wanted)
        found += (found.empty() ? "" : ",") + std::to_string(dimension);
    throw trace::Refusal({.what = "This model has not all of these dimensions",
                          .where = "--dimensions",
                          .expected = "0 to " + std::to_string(count - 1),
                          .found = found,
                          .wayOut = "name dimensions that it has, counted from 0"});
}

widgets::FigureSource* positions(const Scene& scene, const Options& options, QMainWindow& window,
                                 Stage& stage) {
    auto* view = placed(new widgets::PositionalEncodingView(scene.selection), window);
    view->setSpaceMarksShown(options.spaceMarks);
    new PositionAnswers(scene.queue, scene.controller, view, view);
    view->setRun(scene.controller->run());
    if (options.side == "target")
        view->setSide(widgets::PositionSide::Target);
    if (!options.dimensions.empty() && !view->setDimensions(options.dimensions) && view->dimensionCount() > 0)
        refuseDimensions(options.dimensions, view->dimensionCount());
    if (options.count)
        view->setPositionsShown(*options.count);
    if (options.offset)
        view->setOffset(*options.offset);
    view->setPage(static_cast<widgets::PositionalEncodingView::Page>(widgets::pageNumber(options)));
    view->addChoices(stage.choices);
    stage.why = [view] { return view->hasFigure() ? QString() : view->caption(); };
    return view;
}

widgets::FigureSource* architecture(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    auto* view = placed(new widgets::ArchitectureView(scene.selection), window);
    new FlowAnswers(scene.queue, scene.controller, view, view);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->addChoices(stage.choices);
    return view;
}

widgets::FigureSource* scale(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    auto* view = placed(new widgets::ScaleView(scene.selection), window);
    new ScaleAnswers(scene.queue, scene.controller, scene.whatIf, scene.twin, view, view);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->setPage(static_cast<widgets::ScaleView::Page>(widgets::pageNumber(options)));
    view->addChoices(stage.choices);
    stage.why = [view] { return view->hasFigure() ? QString() : view->caption(); };
    return view;
}

widgets::FigureSource* classifier(const Scene& scene, const Options& options, QMainWindow& window,
                                  Stage& stage) {
    auto* view = placed(new widgets::ClassifierView(scene.selection), window);
    new ClassifierAnswers(scene.queue, view, view);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->setPage(static_cast<widgets::ClassifierView::Page>(widgets::pageNumber(options)));
    view->addChoices(stage.choices);
    return view;
}

widgets::FigureSource* beamTree(const Scene& scene, const Options& options, QMainWindow& window,
                                Stage& stage) {
    auto* view = placed(new widgets::BeamTreeView, window);
    stage.isMadeAnew = true; // the shown node is the run's
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    return view;
}

using Maker = widgets::FigureSource* (*)(const Scene&, const Options&, QMainWindow&, Stage&);

Maker makerOf(const std::string& view) {
    static const std::map<std::string, Maker> makers{{"overview", makeOverview},
                                                     {"heatmap", makeHeatmap},
                                                     {"lines", lines},
                                                     {"arithmetic", arithmetic},
                                                     {"masks", masks},
                                                     {"positions", positions},
                                                     {"inputs", makeInputs},
                                                     {"architecture", architecture},
                                                     {"scale", scale},
                                                     {"classifier", classifier},
                                                     {"compare", makeCompare},
                                                     {"logit-lens", makeLogitLens},
                                                     {"attribution", makeAttribution},
                                                     {"importance", makeImportance},
                                                     {"candidates", makeCandidates},
                                                     {"source-share", makeSourceShare},
                                                     {"random-twin", makeRandomTwin},
                                                     {"head-table", makeHeadTable},
                                                     {"head-page", makeHeadPage},
                                                     {"beam-tree", beamTree},
                                                     {"branches", makeBranches},
                                                     {"reference", makeReference},
                                                     {"what-if", makeWhatIf},
                                                     {"contact-sheet", makeContactSheet}};
    return makers.at(view);
}

/// A model is named as the view calls the one that is open.
widgets::Choices wantedChoices(const Options& options) {
    widgets::Choices wanted;
    for (const auto& [choice, value] : options.choices) {
        const auto& rule = *widgets::pictureChoice(options.view, choice);
        wanted[rule.view][rule.name] = value;
    }
    if (const auto model = options.choices.find("model"); model != options.choices.end())
        wanted["compare"]["model"] =
            CompareAnswers::nameOf(
                CompareAnswers::pathOf(QString::fromStdString(std::get<std::string>(model->second))))
                .toStdString();
    return wanted;
}

} // namespace

std::unique_ptr<PictureOnStage> sceneView(const PictureScene& scene, const widgets::PictureOptions& options) {
    const auto& view = *widgets::viewSpec(options.view);
    auto window = std::make_unique<QMainWindow>();
    window->resize(1200, 900);
    auto stage = std::make_unique<PictureOnStage>();
    stage->figure = makerOf(options.view)(scene, options, *window, *stage);
    stage->needs = view.needs;
    stage->canBeOfModel = !view.canBeOf || view.canBeOf(*scene.controller->run());
    stage->ofTrace = view.ofTrace;
    stage->wanted = wantedChoices(options);
    stage->choose();
    window->show();
    stage->window = std::move(window);
    return stage;
}

} // namespace headscope::app
