#include "app/window/docks/importance_dock.h"

#include "app/desktop/dock_tabs.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QMainWindow>

#include <utility>

namespace headscope::app {

namespace {

constexpr QSize listSize(380, 440); ///< space for all columns and the first heads

} // namespace

using widgets::ImportanceView;

ImportanceDock::ImportanceDock(Analyses* analyses, DecodeController* controller,
                               widgets::Selection* selection, Actions* actions, QWidget* parent)
    : QDockWidget(tr("Head importance"), parent), analyses_(analyses), controller_(controller),
      actions_(actions), view_(new ImportanceView(selection, this)) {
    setWidget(new widgets::RoomyArea(view_, this));
    connectView();
    connect((*actions_)[ActionId::MeasureHeads], &QAction::triggered, this, &ImportanceDock::measure);
    connect((*actions_)[ActionId::Stop], &QAction::triggered, this, [this] {
        if (analyses_->isMeasuring())
            analyses_->stopMeasuring(); // otherwise a finished measurement would be discarded
    });
    followRun();
}

void ImportanceDock::connectView() {
    connect(view_, &ImportanceView::measureRequested, this, &ImportanceDock::measure);
    connect(view_, &ImportanceView::cancelRequested, analyses_, &Analyses::stopMeasuring);
    connect(view_, &ImportanceView::scoresChanged, this, &ImportanceDock::scoresChanged);
    connect(view_, &ImportanceView::headOpened, this, &ImportanceDock::headOpened);
    connect(view_->contrast(), &widgets::ContrastField::contrastChosen, controller_,
            &DecodeController::setRatherThan);
    connect(controller_, &DecodeController::ratherThanChanged, this,
            [this] { view_->contrast()->setContrast(controller_->ratherThan()); });
    connect(analyses_, &Analyses::importanceChanged, this, [this] {
        showMeasured();
        followAction();
    });
    connect(analyses_, &Analyses::measuringChanged, this, [this] {
        showMeasured();
        view_->setMeasuring(analyses_->isMeasuring());
    });
    connect(analyses_, &Analyses::importanceRefused, this, [this](const auto& text) {
        if (text.where == trace::contrastOption)
            view_->contrast()->showRefusal(text);
        else
            view_->showRefusal(text);
    });
    connect(controller_, &DecodeController::runChanged, this, &ImportanceDock::followRun);
}

void ImportanceDock::switchHeadsIn(WhatIf* whatIf) {
    connect(view_, &ImportanceView::headToggled, whatIf, &WhatIf::toggleHead);
}

void ImportanceDock::showTwin(TwinAnalyses* twin) {
    connect(twin, &TwinAnalyses::importanceChanged, this,
            [this, twin] { view_->setTwin(twin->seed(), twin->importance()); });
    connect((*actions_)[ActionId::Stop], &QAction::triggered, twin, &TwinAnalyses::stopMeasuring);
}

const std::vector<analysis::HeadScore>& ImportanceDock::scores() const {
    return view_->scores();
}

QString ImportanceDock::caption() const {
    return view_->caption();
}

void ImportanceDock::measure() {
    show();
    raise();
    giveKeys(*this);
    auto* window = windowOf(*this);
    if (window && width() < listSize.width())
        window->resizeDocks({this}, {listSize.width()}, Qt::Horizontal);
    if (window && height() < listSize.height())
        window->resizeDocks({this}, {listSize.height()}, Qt::Vertical);
    analyses_->measureImportance();
}

void ImportanceDock::followRun() {
    const auto& run = controller_->run();
    shown_ = run;
    view_->setRun(run);
    showMeasured();
    followAction();
    // Importance stored in a trace is shown at once; if none is stored, the view says so.
    if (run && run->model && run->model->recorded && widgets::whyNotMeasured(run.get(), *this).isEmpty())
        analyses_->measureImportance();
}

/// While a head is switched off, the importance measured before stays visible.
void ImportanceDock::showMeasured() {
    const auto earlier = analyses_->earlier();
    const auto& run = earlier.run ? earlier.run : controller_->run();
    if (std::exchange(shown_, run) != run)
        view_->setRun(run);
    view_->setEarlier(earlier.run != nullptr);
    view_->setImportance(earlier.run ? earlier.importance : analyses_->importance());
}

void ImportanceDock::followAction() {
    const auto& run = controller_->run();
    const bool isLacking = run && run->model && run->model->recorded && !analyses_->importance();
    const QString whyNot =
        isLacking ? widgets::whyNothingRuns(*run->model) : widgets::whyNotMeasured(run.get(), *this);
    actions_->setEnabled(ActionId::MeasureHeads, whyNot.isEmpty(), whyNot);
}

} // namespace headscope::app
