#include "app/export/picture_names.h"
#include "app/render/picture_makers.h"
#include "app/results/compare_answers.h"
#include "app/results/errands.h"
#include "model/trace/refusal.h"
#include "widgets/map/map_options.h"
#include "widgets/view_spec.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/beam_tree/beam_tree_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/places.h"
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

widgets::FigureSource* lines(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    auto* view = placed(new widgets::LinesView(scene.selection), scene, options, window, stage);
    if (!options.lines.empty())
        chooseLines(*view, options.lines,
                    scene.controller->run()->model->heads(scene.selection->head().site.kind));
    return view;
}

widgets::FigureSource* arithmetic(const Scene& scene, const Options& options, QMainWindow& window,
                                  Stage& stage) {
    auto* view = placed(new widgets::ArithmeticView(scene.selection), scene, options, window, stage);
    stage.why = [view] { return view->hasFigure() ? QString() : view->whyEmpty(); };
    return view;
}

widgets::FigureSource* masks(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    auto* view = placed(new widgets::MaskView(scene.selection), scene, options, window, stage);
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
    auto* view = placed(new widgets::PositionalEncodingView(scene.selection), scene, options, window, stage);
    if (options.side == "target")
        view->setSide(widgets::PositionSide::Target);
    if (!options.dimensions.empty() && !view->setDimensions(options.dimensions) && view->dimensionCount() > 0)
        refuseDimensions(options.dimensions, view->dimensionCount());
    if (options.count)
        view->setPositionsShown(*options.count);
    if (options.offset)
        view->setOffset(*options.offset);
    view->setPage(static_cast<widgets::PositionalEncodingView::Page>(widgets::pageNumber(options)));
    stage.why = [view] { return view->hasFigure() ? QString() : view->caption(); };
    return view;
}

widgets::FigureSource* architecture(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    return placed(new widgets::ArchitectureView(scene.selection), scene, options, window, stage);
}

widgets::FigureSource* scale(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    auto* view = placed(new widgets::ScaleView(scene.selection), scene, options, window, stage);
    view->setPage(static_cast<widgets::ScaleView::Page>(widgets::pageNumber(options)));
    stage.why = [view] { return view->hasFigure() ? QString() : view->caption(); };
    return view;
}

widgets::FigureSource* classifier(const Scene& scene, const Options& options, QMainWindow& window,
                                  Stage& stage) {
    auto* view = placed(new widgets::ClassifierView(scene.selection), scene, options, window, stage);
    view->setPage(static_cast<widgets::ClassifierView::Page>(widgets::pageNumber(options)));
    return view;
}

widgets::FigureSource* beamTree(const Scene& scene, const Options& options, QMainWindow& window,
                                Stage& stage) {
    auto* view = placed(new widgets::BeamTreeView, scene, options, window, stage);
    stage.isMadeAnew = true; // the shown node is the run's
    return view;
}

/// What nobody says more of than its folder.
widgets::FigureSource* panel(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    const auto found =
        std::ranges::find(widgets::panels(), widgets::viewSpec(options.view), &widgets::PlacedView::spec);
    return placed(found->make(scene.selection, &window), scene, options, window, stage);
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
    const auto own = makers.find(view);
    return own == makers.end() ? panel : own->second;
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

void follow(const Scene& scene, const Options& options, widgets::View& view, Stage& stage) {
    view.setSpaceMarksShown(options.spaceMarks);
    view.setMapOptions(widgets::mapOptionsOf(options));
    view.setRun(scene.controller->run());
    view.addChoices(stage.choices);
    scene.errands->serve(&view);
}

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
