// The tabs of the scale and of classifiers.
#include "app/window/classifier_answers.h"
#include "app/window/main_window.h"
#include "app/window/map_analyses.h"
#include "app/window/scale_answers.h"
#include "widgets/classifier_view.h"
#include "widgets/scale_view.h"

#include <QAction>
#include <QLabel>
#include <QTabWidget>

namespace headscope::app {

void MainWindow::buildScale() {
    scale_ = new widgets::ScaleView(selection_, this);
    classifier_ = new widgets::ClassifierView(selection_, this);
    tabs_->addTab(scale_, tr("Scale"));
    tabs_->addTab(classifier_, tr("Classifier"));
    scaleAnswers_ = new ScaleAnswers(queue_, controller_, whatIf_, twin_, scale_, this);
    new ClassifierAnswers(queue_, classifier_, this);
}

void MainWindow::connectScale() {
    const auto describe = [this](const QString& words) {
        cell_->setText(words);
        if (!words.isEmpty())
            cellWords_ = words;
    };
    connect(scale_, &widgets::ScaleView::cellDescribed, this, describe);
    connect(classifier_, &widgets::ClassifierView::cellDescribed, this, describe);
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
    connect((*actions_)[ActionId::SpaceMarks], &QAction::toggled, scale_,
            &widgets::ScaleView::setSpaceMarksShown);
    connect((*actions_)[ActionId::SpaceMarks], &QAction::toggled, classifier_,
            &widgets::ClassifierView::setSpaceMarksShown);
    connect((*actions_)[ActionId::Stop], &QAction::triggered, scaleAnswers_, &ScaleAnswers::stopTwin);
    connect(queue_, &RunQueue::modelOpened, this, [this](const auto& model) { followClasses(model.get()); });
    connect(controller_, &DecodeController::runChanged, this, [this](const auto& run) {
        followClasses(run ? run->model.get() : model_.get());
        scale_->setRun(run);
        classifier_->setRun(run);
    });
    offerPicture(scale_);
    offerPicture(classifier_);
    followClasses(nullptr);
}

/// Models that translate, which are most, need no tab of classes.
void MainWindow::followClasses(const trace::ModelSummary* model) {
    const bool classifies = model && model->classes > 0;
    tabs_->setTabVisible(tabs_->indexOf(classifier_), classifies);
    actions_->setEnabled(ActionId::ViewClassifier, classifies,
                         tr("This model has no classes: open one that classifies."));
}

} // namespace headscope::app
