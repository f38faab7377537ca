#include "app/window/view_wishes.h"

#include "app/results/map_analyses.h"
#include "app/window/docks/panels.h"
#include "app/window/tabs.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/scale/scale_view.h"

#include <QAction>
#include <QMainWindow>

namespace headscope::app {

namespace {

void heedMasks(Document* document, widgets::MaskView* masks) {
    auto* controller = document->controller();
    QObject::connect(masks, &widgets::MaskView::paddingChanged, controller, &DecodeController::setPadding);
    QObject::connect(controller, &DecodeController::decodingChanged, masks->batch(), [controller, masks] {
        masks->batch()->setDecoding(controller->decoding(), controller->newTokens());
    });
}

void heedScale(Document* document, widgets::ScaleView* scale) {
    QObject::connect(scale, &widgets::ScaleView::temperatureWanted, document->whatIf(),
                     &WhatIf::divideScores);
    QObject::connect(document, &Document::stateChanged, scale,
                     [document, scale] { scale->setTwinSeed(document->state().twinSeed); });
}

void heedClassifier(Document* document, MapAnalyses* maps, widgets::ClassifierView* classifier,
                    QAction* measure) {
    QObject::connect(classifier, &widgets::ClassifierView::importanceWanted, measure, &QAction::trigger);
    QObject::connect(
        classifier, &widgets::ClassifierView::chosenClassChanged, maps, [document, maps, classifier] {
            const auto& run = document->run();
            const bool classifies = run && !run->classLogProbabilities.empty();
            maps->setChosenClass(classifies ? std::optional(classifier->chosenClass()) : std::nullopt);
        });
}

} // namespace

void heedWishes(QMainWindow* window, Document* document, ResultParts* results, Tabs* tabs, Panels* panels,
                const Actions& actions) {
    heedMasks(document, tabs->find<widgets::MaskView>());
    heedScale(document, tabs->find<widgets::ScaleView>());
    heedClassifier(document, results->maps(), tabs->find<widgets::ClassifierView>(),
                   actions[ActionId::MeasureHeads]);
    QObject::connect(panels->candidates(), &widgets::CandidatesView::candidateChosen, window,
                     [window, document](int step, std::int64_t id) {
                         document->controller()->choose(step, id);
                         window->setFocus(); // so that the arrow keys step through the tokens
                     });
}

} // namespace headscope::app
