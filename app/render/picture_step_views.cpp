// Draws the parts of a step and its tokens, and two runs beside each other.
#include "app/desktop/picture_names.h"
#include "app/document/branch_names.h"
#include "app/render/picture_makers.h"
#include "app/results/compare_answers.h"
#include "model/trace/recorded_runs.h"
#include "widgets/view_spec.h"
#include "widgets/views/compare/compare_view.h"

#include <memory>

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

/// Ways to compare the shown run, as command line options.
QString waysToCompare(const trace::Run& run) {
    const QString step = QStringLiteral("--step 0 --choose with=step --choose step=1");
    const QString model = QStringLiteral("--choose with=model --choose model=MODEL");
    const bool hasSteps = run.target.size() > 1;
    if (run.model->recorded) {
        QString ways =
            hasSteps ? QStringLiteral("compare two steps of this run, %1, or ").arg(step) : QString();
        if (trace::holdsOriginal(*run.model))
            ways +=
                QStringLiteral("compare it with the run without its changes, --choose with=unchanged, or ");
        return ways + QStringLiteral("set a model or another trace beside it, %1").arg(model);
    }
    const QString others =
        QStringLiteral("compare it with another sentence, --beside SENTENCE, or another model, %1")
            .arg(model);
    return hasSteps ? QStringLiteral("%1, or two of its steps, %2").arg(others, step) : others;
}

} // namespace

widgets::FigureSource* makeCompare(const Scene& scene, const Options& options, QMainWindow& window,
                                   Stage& stage) {
    auto* view = placed(new widgets::CompareView(scene.document->selection()), scene, window, stage);
    auto* answers = new CompareAnswers(
        scene.document->queue(), scene.document->controller(), scene.results,
        [](const QString&) { return ModelSettings(); }, scene.document->selection(), view,
        [names = std::make_shared<BranchNames>()](const trace::Run& run) { return names->names(run); }, view);
    if (!options.beside.empty()) {
        view->bar()->setWith(widgets::CompareBar::With::Sentence);
        view->bar()->setSentence(QString::fromStdString(options.beside.front()));
    }
    answers->addChoices(stage.choices);
    stage.why = [view, answers] { return view->pair() ? view->whyNot() : answers->whyNone(); };
    stage.wayOut = [view, run = scene.document->controller()->run()] {
        return view->pair() ? QStringLiteral("name a head of another kind with --head") : waysToCompare(*run);
    };
    return view;
}

} // namespace headscope::app
