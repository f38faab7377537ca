// Draws the panel of changes.
#include "app/document/what_if.h"
#include "app/render/picture_makers.h"
#include "widgets/views/what_if/change_comparison.h"

namespace headscope::app {

namespace {

using Options = widgets::PictureOptions;
using Stage = RenderedView;

} // namespace

widgets::FigureSource* makeWhatIf(const Scene& scene, const Options& options, QMainWindow& window,
                                  Stage& stage) {
    auto* view =
        placed(new widgets::ChangeComparison(scene.document->selection()), scene, options, window, stage);
    const auto show = [view, whatIf = scene.document->whatIf(), controller = scene.document->controller()] {
        view->setRuns(controller->run(), whatIf->original(), whatIf->forced());
        if (whatIf->steps())
            view->setSteps(*whatIf->steps());
    };
    QObject::connect(scene.document->whatIf(), &WhatIf::comparisonChanged, view, show);
    show();                                         // it may be known already
    if (scene.document->controller()->ratherThan()) // which the trace may not have been recorded with
        stage.ofRun = {WorkQueue::JobKind::Original, WorkQueue::JobKind::Forced};
    return view;
}

} // namespace headscope::app
