#include "app/window/main_window.h"

#include "app/document/autosave_desk.h"
#include "app/document/map_choices.h"
#include "app/document/model_opener.h"
#include "app/document/session_desk.h"
#include "app/document/undo_desk.h"
#include "app/document/what_if.h"
#include "app/document/window_state.h"
#include "app/export/trace_desk.h"
#include "app/models/resource_folders.h"
#include "app/results/analyses.h"
#include "app/results/causal_rows.h"
#include "app/results/compare_answers.h"
#include "app/results/errands.h"
#include "app/results/long_maps.h"
#include "app/results/map_analyses.h"
#include "app/results/random_twin.h"
#include "app/results/twin_analyses.h"
#include "app/training/train_dialog.h"
#include "app/training/training_time.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/panel_places.h"
#include "app/window/message_panel.h"
#include "app/window/sentence_panel.h"
#include "app/window/status_line.h"
#include "app/window/timing.h"
#include "model/analysis/heads/head_statistics.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/outlined_style.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/way_to_a_run.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

using trace::AttentionKind;
using trace::HeadAddress;

MainWindow::MainWindow(RunQueue::MakeEngine makeEngine, StartWith startWith)
    : startWith_(std::move(startWith)), actions_(new Actions(this)),
      queue_(new RunQueue(std::move(makeEngine), this)), opener_(new ModelOpener(queue_, &settings_, this)),
      selection_(new widgets::Selection(this)), controller_(new DecodeController(queue_, selection_, this)),
      whatIf_(new WhatIf(queue_, controller_, this)), analyses_(new Analyses(queue_, controller_, this)),
      mapChoices_(new MapChoices(actions_, this)),
      mapAnalyses_(new MapAnalyses(queue_, controller_, analyses_, selection_, this)),
      longMaps_(new LongMaps(queue_, controller_, selection_, this)),
      causalRows_(new CausalRows(queue_, controller_, selection_, this)),
      twin_(new RandomTwin(queue_, controller_, this)),
      twinAnalyses_(new TwinAnalyses(queue_, controller_, analyses_, twin_, this)),
      errands_(new Errands(queue_, controller_, this)) {
    QApplication::setStyle(new widgets::OutlinedStyle);
    setWindowTitle(tr("Headscope"));
    setAcceptDrops(true);
    setFocusPolicy(Qt::ClickFocus);
    setStatusBar(new StatusLine(this));
    buildLayout();
    connectActions();
    connect(queue_, &RunQueue::modelOpened, this, &MainWindow::modelOpened);
    connect(queue_, &RunQueue::refused, this, [this](RunQueue::Slot slot, const auto& text) {
        // Said where they would be.
        constexpr std::array quiet{
            RunQueue::Slot::Importance, RunQueue::Slot::Twin,          RunQueue::Slot::Lens,
            RunQueue::Slot::Maps,       RunQueue::Slot::Corpus,        RunQueue::Slot::CausalRow,
            RunQueue::Slot::Compared,   RunQueue::Slot::ComparedSteps, RunQueue::Slot::OtherModel,
            RunQueue::Slot::Other,      RunQueue::Slot::LongMaps,      RunQueue::Slot::Autosave};
        if (slot == RunQueue::Slot::Model)
            trainingTime_->stay();
        if (std::ranges::find(quiet, slot) == quiet.end())
            message_->showRefusal(text);
    });
    connect(opener_, &ModelOpener::refused, this, [this](const auto& text) {
        followMissingModel();
        trainingTime_->stay();
        message_->showRefusal(text);
    });
    // What is said of the model before goes as it opens.
    connect(opener_, &ModelOpener::answersNotWritten, message_, &MessagePanel::showRefusal,
            Qt::QueuedConnection);
    connect(opener_, &ModelOpener::gaveUp, trainingTime_, &TrainingTime::stay);
    connect(queue_, &RunQueue::busyChanged, this, &MainWindow::followBusy);
    connect(queue_, &RunQueue::progressed, this, [this](RunQueue::Slot slot, double share) {
        if (slot != RunQueue::Slot::Main)
            return;
        shareRead_ = share;
        followBusy();
    });
    connect(queue_, &RunQueue::engineReady, device_, &QLabel::setText);
    connect(controller_, &DecodeController::runChanged, this, &MainWindow::showRun);
    connect(selection_, &widgets::Selection::headChanged, this, &MainWindow::followHead);
    buildSessions();
    restoreLayout();
    showRun(nullptr);
    followHead();
    setFocus();
}

MainWindow::~MainWindow() {
    delete undo_; // it watches what goes next
    hide();       // panels stop what is computed for them as long as there is someone to tell
    // The worker may be about to post to what is destroyed next.
    if (!leavesComputing_) {
        delete queue_;
        return;
    }
    queue_->setParent(nullptr);
    queue_->leave();
}

/// The engine is loaded only once there is a window to look at.
bool MainWindow::event(QEvent* event) {
    // Also where nothing is painted, because the window is minimised or covered from the first.
    constexpr int longestWait = 500;
    const bool handled = QMainWindow::event(event);
    if (event->type() == QEvent::Paint && !std::exchange(painted_, true)) {
        reportTiming("first paint");
        QTimer::singleShot(0, this, &MainWindow::start);
    } else if (event->type() == QEvent::Show && !started_) {
        QTimer::singleShot(longestWait, this, &MainWindow::start);
    }
    return handled;
}

void MainWindow::start() {
    if (std::exchange(started_, true))
        return;
    // First: while LibTorch is loaded, whoever needs the loader's lock waits, as the search for files does
    // when it is used for the first time.
    if (autosave_)
        autosave_->offerLeft();
    queue_->start();
    const auto bundled = bundledModels();
    if (!startWith_.model.isEmpty())
        openModel(startWith_.model);
    else if (!bundled.empty())
        openModel(QString::fromStdString(bundled.front()));
    followMissingModel();
}

void MainWindow::showRun(const std::shared_ptr<const trace::Run>& run) {
    if (run && run->model != model_)
        adoptModel(run->model); // another was asked for meanwhile and refused
    if (run && run->complete && std::exchange(chooseFirstHead_, false))
        chooseFirstHead(run);
    sentence_->setRun(run);
    for (auto* view : views_)
        view->setRun(run);
    grid_->setRun(run);
    branches_->setRun(run);
    showMaps();
    badge_->setRun(run);
    showTitle();
    const QString nothing = tr("There is nothing decoded yet. %1").arg(widgets::wayToARun(*this));
    for (const auto id :
         {ActionId::ToStart, ActionId::Back, ActionId::Forward, ActionId::ToEnd, ActionId::RunTo,
          ActionId::NextUnsure, ActionId::ForceTarget, ActionId::CopyTranslation, ActionId::CopyCommand,
          ActionId::SavePicture, ActionId::SaveData, ActionId::SaveLayer, ActionId::SaveTrace,
          ActionId::CopyPicture, ActionId::CopyTable})
        actions_->setEnabled(id, run != nullptr, nothing);
    if (run && !std::exchange(heatmapReported_, true))
        QTimer::singleShot(0, this, [] { reportTiming("first heatmap"); });
}

/// Of long maps that takes time, and whoever chooses a head meanwhile keeps it.
void MainWindow::chooseFirstHead(const std::shared_ptr<const trace::Run>& run) {
    if (run->model->opensAt)
        return selection_->setHead(*run->model->opensAt);
    if (run->cross.empty() || !run->cross.front().isLeftOut())
        return selection_->setHead(analysis::bestAligningHead(*run));
    queue_->compute(RunQueue::Slot::FirstHead, this,
                    [this, run, before = selection_->head()](std::stop_token stop) -> std::function<void()> {
                        const auto head = analysis::bestAligningHead(*run, std::move(stop));
                        return [this, run, before, head] {
                            if (selection_->head() == before && controller_->run() == run)
                                selection_->setHead(head);
                        };
                    });
}

void MainWindow::followBusy() {
    followMissingModel();
    const bool opening = queue_->isBusy(RunQueue::Slot::Model);
    const bool decoding = queue_->isBusy(RunQueue::Slot::Main);
    shareRead_ = decoding ? shareRead_ : 1;
    const bool ofHeads = analyses_->isMeasuring();
    const bool measuring = ofHeads || headTable_->corpus()->isRunning() || causalRows_->isMeasuring() ||
                           compareAnswers_->isBusy() || errands_->isLong() || traces_->isSaving();
    const auto& run = controller_->run();
    const bool cut = !opening && !decoding && !measuring && run && run->complete && !run->path.empty() &&
                     model_->special.end && controller_->isFinished() &&
                     run->tree.node(run->path.back()).token.id != model_->special.end &&
                     run->request.padding.target == 0;
    if (cut) {
        working_->setText(
            tr("Cut off after %1 tokens: the model had not come to an end.").arg(controller_->steps()));
        actions_->setEnabled(ActionId::Stop, false,
                             tr("Nothing is being opened, decoded, measured or saved."));
        return;
    }
    working_->setText(opening ? tr("Opening %1...").arg(opener_->path().section('/', -1))
                      : decoding && shareRead_ < 1
                          ? tr("Reading what is given: %1").arg(widgets::shareInWords(shareRead_))
                      : decoding && model_ && model_->decoderLayers == 0
                          ? (model_->classes > 0 ? tr("Classifying...") : tr("Encoding..."))
                      : decoding                          ? tr("Decoding...")
                      : headTable_->corpus()->isRunning() ? tr("Running sentences...")
                      : ofHeads                           ? tr("Measuring heads...")
                      : compareAnswers_->isBusy()         ? tr("Comparing...")
                      : errands_->isLong()                ? tr("Computing...")
                      : traces_->isSaving()               ? tr("Saving the trace...")
                      : measuring                         ? tr("Measuring source tokens...")
                                                          : "");
    actions_->setEnabled(ActionId::Stop, opening || decoding || measuring,
                         tr("Nothing is being opened, decoded, measured or saved."));
}

void MainWindow::followHead() {
    const HeadAddress address = selection_->head();
    const std::array kinds{ActionId::KindEncoder, ActionId::KindDecoder, ActionId::KindCross};
    (*actions_)[kinds[static_cast<std::size_t>(address.site.kind)]]->setChecked(true);
    const bool hasDecoder = !model_ || model_->decoderLayers > 0;
    for (const auto id : {ActionId::KindDecoder, ActionId::KindCross})
        actions_->setEnabled(id, hasDecoder, tr("This model has an encoder only."));
}

void MainWindow::chooseKind(AttentionKind kind) {
    HeadAddress address = selection_->head();
    address.site.kind = kind;
    selection_->setHead(address);
    changeHead(0, 0); // into the range of the kind
}

void MainWindow::changeHead(int layers, int heads) {
    HeadAddress address = selection_->head();
    if (!model_)
        return;
    const auto kind = address.site.kind;
    address.site.layer = std::clamp(address.site.layer + layers, 0, std::max(0, model_->layers(kind) - 1));
    address.head = std::clamp(address.head + heads, 0, std::max(0, model_->heads(kind) - 1));
    selection_->setHead(address);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (traces_->isSaving()) {
        message_->showRefusal(
            {.what = tr("A trace is being saved, and would not be there").toStdString(),
             .wayOut = tr("wait until it is, or stop it with Ctrl+. and close the window").toStdString()});
        return event->ignore();
    }
    try {
        if (!sessions_->mayClose())
            return event->ignore();
    } catch (const trace::Refusal& refusal) {
        message_->showRefusal(refusal.text());
        return event->ignore();
    }
    if (training_ && !training_->mayClose()) // the last that is asked, as it acts on the answer
        return event->ignore();
    rememberLayout();
    event->accept();
}

} // namespace headscope::app
