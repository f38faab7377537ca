// The tabs of the scale and of classifiers, and what a window is of whose model classifies.
#include "app/results/map_analyses.h"
#include "app/window/main_window.h"
#include "app/window/sentence_panel.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/panels.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>

#include <array>

namespace headscope::app {

void MainWindow::buildScale() {
    scale_ = new widgets::ScaleView(selection_, this);
    classifier_ = new widgets::ClassifierView(selection_, this);
    tabs_->addTab(scale_, tr("Scale"));
    tabs_->insertTab(0, classifier_, tr("Classifier")); // what such a model is for; others have it hidden
}

void MainWindow::connectScale() {
    connect(scale_, &widgets::ScaleView::temperatureWanted, whatIf_, &WhatIf::divideScores);
    connect(twin_, &RandomTwin::switched, scale_, [this] { scale_->setTwinSeed(twin_->seed()); });
    connect(classifier_, &widgets::ClassifierView::importanceWanted, this,
            [this] { (*actions_)[ActionId::MeasureHeads]->trigger(); });
    connect(classifier_, &widgets::ClassifierView::chosenClassChanged, this, [this] {
        const auto& run = controller_->run();
        const bool classifies = run && !run->classLogProbabilities.empty();
        mapAnalyses_->setChosenClass(classifies ? std::optional(classifier_->chosenClass()) : std::nullopt);
    });
    connect((*actions_)[ActionId::ViewScale], &QAction::triggered, this, [this] { showTab(scale_); });
    connect((*actions_)[ActionId::ViewClassifier], &QAction::triggered, this,
            [this] { showTab(classifier_); });
    connect(queue_, &RunQueue::modelOpened, this, [this](const auto& model) { followTask(model.get()); });
    connect(controller_, &DecodeController::runChanged, this,
            [this](const auto& run) { followTask(run ? run->model.get() : model_.get()); });
    followTask(nullptr);
}

namespace {

/// What belongs to decoding, of a trace the walk through what it holds.
constexpr std::array ofDecoding{ActionId::ToStart,         ActionId::Back,         ActionId::Forward,
                                ActionId::ToEnd,           ActionId::RunTo,        ActionId::NextUnsure,
                                ActionId::RunOrStop,       ActionId::ShowBeamTree, ActionId::CompareBranches,
                                ActionId::CopyTranslation, ActionId::SourceShare};
/// What decodes something else, and what runs any model anew.
constexpr std::array ofDecodingAnew{ActionId::StepByStep, ActionId::DecodingOptions, ActionId::ForceTarget,
                                    ActionId::MapLosses};
constexpr std::array ofRunning{ActionId::Decode, ActionId::ToggleHead};
/// Panels of the same.
constexpr std::array panelsOfDecoding{"branches", "beam-tree", "reference", "logit-lens"};

void withhold(Actions& actions, const QString& whyNoDecoding, const QString& whyNothingRuns) {
    for (const ActionId id : ofDecoding)
        actions.withhold(id, whyNoDecoding);
    for (const ActionId id : ofDecodingAnew)
        actions.withhold(id, whyNoDecoding.isEmpty() ? whyNothingRuns : whyNoDecoding);
    for (const ActionId id : ofRunning)
        actions.withhold(id, whyNothingRuns);
}

} // namespace

/// Models that translate, which are most, need no tab of classes; the others no target and nothing of the
/// walk through it.
void MainWindow::followTask(const trace::ModelSummary* model) {
    const bool classifies = model && model->classes > 0;
    const bool decodes = !model || model->decoderLayers > 0;
    if (!classifies && tabs_->currentWidget() == classifier_)
        tabs_->setCurrentWidget(compared_);
    tabs_->setTabVisible(tabs_->indexOf(classifier_), classifies);
    actions_->setEnabled(ActionId::ViewClassifier, classifies,
                         tr("This model has no classes: open one that classifies."));
    const QString why = decodes      ? QString()
                        : classifies ? tr("This model classifies: it decodes nothing.")
                                     : tr("This model has an encoder only: it decodes nothing.");
    withhold(*actions_, why, model ? widgets::whyNothingRuns(*model) : QString());
    if (model && model->recorded)
        (*actions_)[ActionId::MapLosses]->setChecked(false); // or its pictures' commands would ask for them
    std::vector<const char*> ofOutput(panelsOfDecoding.begin(), panelsOfDecoding.end());
    for (const auto& panel : widgets::panels())
        if (panel.spec->canBeOf == widgets::decodes)
            ofOutput.push_back(panel.spec->key);
    for (const char* name : ofOutput) {
        const auto* dock = findChild<QDockWidget*>(name);
        QAction* toggle = dock->toggleViewAction();
        const QString words = tr("Show or hide the panel \"%1\"").arg(dock->windowTitle());
        toggle->setEnabled(decodes);
        toggle->setToolTip(decodes ? words : tr("%1\n%2").arg(words, why));
    }
    actions_->rename(ActionId::Decode,
                     decodes      ? QString()
                     : classifies ? tr("Class&ify")
                                  : tr("Enco&de"),
                     decodes      ? QString()
                     : classifies ? tr("Put the text into a class")
                                  : tr("Let the encoder read the text"));
    actions_->menu("&Decode")->setTitle(decodes      ? tr("&Decode")
                                        : classifies ? tr("&Classify")
                                                     : tr("Enc&ode"));
    auto* answer = findChild<QDockWidget*>("next-token");
    answer->setWindowTitle(classifies && !decodes ? tr("Class probabilities") : tr("Next token"));
    answer->toggleViewAction()->setToolTip(tr("Show or hide the panel \"%1\"").arg(answer->windowTitle()));
    sentence_->setHasTarget(decodes);
    compare_->bar()->setModel(model);
}

} // namespace headscope::app
