#include "app/pictures/picture_makers.h"

#include "app/window/actions.h"
#include "app/window/arithmetic_dock.h"
#include "app/window/batch_answers.h"
#include "app/window/classifier_answers.h"
#include "app/window/compare_answers.h"
#include "app/window/flow_answers.h"
#include "app/window/late_counts.h"
#include "app/window/picture_names.h"
#include "app/window/position_answers.h"
#include "app/window/scale_answers.h"
#include "app/window/tab_choices.h"
#include "model/trace/refusal.h"
#include "widgets/architecture_view.h"
#include "widgets/arithmetic_view.h"
#include "widgets/batch_view.h"
#include "widgets/beam_tree_view.h"
#include "widgets/classifier_view.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/scale_view.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace headscope::app {

namespace {

using Scene = PictureScene;
using Options = PictureOptions;
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
    dock->view()->setMapOptions(mapOptionsOf(options));
    bindArithmetic(stage.choices, dock->view());
    return dock->view();
}

widgets::FigureSource* masks(const Scene& scene, const Options& options, QMainWindow& window, Stage&) {
    auto* view = placed(new widgets::MaskView(scene.selection), window);
    (new LateCounts(scene.queue, view))->serve(view, RunQueue::Slot::Masks);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->setPage(static_cast<widgets::MaskView::Page>(pageNumber(options)));
    return view;
}

/// From the given one on, as they would be typed.
QString typedIds(const std::vector<std::int64_t>& all, std::size_t from) {
    QStringList ids;
    for (std::size_t i = from; i < all.size(); ++i)
        ids += QString::number(all[i]);
    return ids.join(' ');
}

/// What the shown sentence is forced to in a batch, as it would be typed.
QString forcedText(const trace::Run& run) {
    const auto& path = run.request.paths.back();
    if (std::holds_alternative<std::monostate>(path.forced) || run.model->decoderLayers == 0)
        return {};
    const auto* text = std::get_if<std::string>(&path.forced);
    if (path.newTokens == 0 && text)
        return QString::fromStdString(*text);
    const auto* target = std::get_if<trace::TargetIds>(&path.forced);
    const bool begins = target && !target->ids.empty() && target->ids.front() == run.model->special.start;
    if (path.newTokens > 0 || !begins || !run.model->tokenizer.empty())
        throw trace::Refusal({.what = "A batch does not show this target",
                              .where = "--view inputs",
                              .expected = "--target, without --continue",
                              .found = path.newTokens > 0 ? "--continue" : "--target-ids",
                              .wayOut = "force a whole target as it would be typed"});
    return typedIds(target->ids, 1);
}

/// The sentence with others beside it, as one padded batch.
widgets::FigureSource* inputs(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    auto* view = placed(new widgets::MaskView(scene.selection), window);
    new BatchAnswers(scene.queue, scene.controller, view->batch(), view);
    const auto& run = scene.controller->run();
    view->setSpaceMarksShown(options.spaceMarks);
    view->batch()->setModel(run->model);
    std::vector<widgets::BatchSentence> sentences;
    if (const auto* source = std::get_if<std::string>(&run->request.source))
        sentences.push_back({.source = QString::fromStdString(*source), .target = forcedText(*run)});
    else if (const auto* ids = std::get_if<trace::SourceIds>(&run->request.source);
             ids && run->model->tokenizer.empty())
        sentences.push_back({.source = typedIds(ids->ids, 0), .target = forcedText(*run)});
    for (const auto& sentence : options.beside)
        sentences.push_back({.source = QString::fromStdString(sentence)});
    view->batch()->setSentences(sentences);
    view->setPage(widgets::MaskView::Page::Batch);
    bindBatch(stage.choices, view->batch());
    stage.why = [view] { return view->hasFigure() ? QString() : view->batch()->caption(); };
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
    view->setPage(static_cast<widgets::PositionalEncodingView::Page>(pageNumber(options)));
    bindPositions(stage.choices, view);
    stage.why = [view] { return view->hasFigure() ? QString() : view->caption(); };
    return view;
}

widgets::FigureSource* architecture(const Scene& scene, const Options& options, QMainWindow& window,
                                    Stage& stage) {
    auto* view = placed(new widgets::ArchitectureView(scene.selection), window);
    new FlowAnswers(scene.queue, scene.controller, view, view);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    bindArchitecture(stage.choices, view);
    return view;
}

widgets::FigureSource* scale(const Scene& scene, const Options& options, QMainWindow& window, Stage& stage) {
    auto* view = placed(new widgets::ScaleView(scene.selection), window);
    new ScaleAnswers(scene.queue, scene.controller, scene.whatIf, scene.twin, view, view);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->setPage(static_cast<widgets::ScaleView::Page>(pageNumber(options)));
    bindScale(stage.choices, view);
    stage.why = [view] { return view->hasFigure() ? QString() : view->caption(); };
    return view;
}

widgets::FigureSource* classifier(const Scene& scene, const Options& options, QMainWindow& window,
                                  Stage& stage) {
    auto* view = placed(new widgets::ClassifierView(scene.selection), window);
    new ClassifierAnswers(scene.queue, view, view);
    view->setSpaceMarksShown(options.spaceMarks);
    view->setRun(scene.controller->run());
    view->setPage(static_cast<widgets::ClassifierView::Page>(pageNumber(options)));
    bindClassifier(stage.choices, view);
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

struct ViewOnStage {
    std::function<widgets::FigureSource*(const Scene&, const Options&, QMainWindow&, Stage&)> make;
    const char* needs = "a run with such a head";
};

const ViewOnStage& viewNamed(const std::string& name) {
    static const std::map<std::string, ViewOnStage> views{
        {"overview", {makeOverview}},
        {"heatmap", {makeHeatmap}},
        {"lines", {lines}},
        {"arithmetic", {arithmetic, "a cell that is open"}},
        {"masks", {masks}},
        {"positions", {positions, "a model that has positions of this kind"}},
        {"inputs", {inputs, "two or three sentences: --source and --beside"}},
        {"architecture", {architecture}},
        {"scale", {scale}},
        {"classifier", {classifier, "a model that classifies"}},
        {"compare", {makeCompare, "something to compare with: --beside SENTENCE, or --choose with=..."}},
        {"logit-lens", {makeLogitLens, "a model with a decoder"}},
        {"attribution", {makeAttribution, "a model with a decoder"}},
        {"importance", {makeImportance}},
        {"candidates", {makeCandidates, "a model that decodes or classifies"}},
        {"source-share", {makeSourceShare, "a model with an encoder and a decoder"}},
        {"random-twin", {makeRandomTwin}},
        {"head-table", {makeHeadTable}},
        {"head-page", {makeHeadPage}},
        {"beam-tree", {beamTree, "a search: --beam 2 or more"}},
        {"branches", {makeBranches, "a model that decodes"}},
        {"reference", {makeReference, "a target that is forced as a whole: --target, without --continue"}},
        {"what-if", {makeWhatIf, "a model that decodes, and a change in it, such as --disable-head"}},
        {"contact-sheet", {makeContactSheet}}};
    return views.at(name);
}

/// A model is named as the view calls the one that is open.
Choices wantedChoices(const Options& options) {
    Choices wanted;
    for (const auto& [choice, value] : options.choices) {
        const auto& rule = *pictureChoice(options.view, choice);
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

std::unique_ptr<PictureOnStage> sceneView(const PictureScene& scene, const PictureOptions& options) {
    const auto& view = viewNamed(options.view);
    auto window = std::make_unique<QMainWindow>();
    window->resize(1200, 900);
    auto stage = std::make_unique<PictureOnStage>();
    stage->figure = view.make(scene, options, *window, *stage);
    stage->needs = view.needs;
    stage->wanted = wantedChoices(options);
    stage->choose();
    window->show();
    stage->window = std::move(window);
    return stage;
}

} // namespace headscope::app
