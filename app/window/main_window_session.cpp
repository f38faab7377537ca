// Sessions, undo and what is saved without being asked.
#include "app/document/autosave_desk.h"
#include "app/document/restore_offer.h"
#include "app/document/session_desk.h"
#include "app/document/undo_desk.h"
#include "app/document/window_state.h"
#include "app/export/figure_desk.h"
#include "app/results/analyses.h"
#include "app/results/compare_answers.h"
#include "app/results/model_hash.h"
#include "app/training/training_time.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "app/window/status_line.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QFileInfo>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>

namespace headscope::app {

void MainWindow::buildSessions() {
    buildPlaces();
    bindChoices();
    desk_->rememberUsual();
    const WindowState::Parts parts{.queue = queue_,
                                   .controller = controller_,
                                   .whatIf = whatIf_,
                                   .opener = opener_,
                                   .selection = selection_,
                                   .model = [this] { return model_; },
                                   .sentence = sentence_,
                                   .choices = choices_.get(),
                                   .tabs = tabs_,
                                   .tabNames = {"classifier", "overview", "heatmap", "masks", "positions",
                                                "lines", "architecture", "scale", "compare"},
                                   .layout = layout_};
    state_ = new WindowState(parts, this);
    undo_ = new UndoDesk(parts, state_, actions_, this);
    auto* otherHash = new ModelHash(queue_, RunQueue::Slot::OtherWeights, this);
    connect(compareAnswers_, &CompareAnswers::otherModelChanged, otherHash,
            [this, otherHash] { otherHash->follow(compareAnswers_->otherModel()); });
    sessions_ =
        new SessionDesk({.queue = queue_,
                         .hash = hash_,
                         .otherHash = otherHash,
                         .state = state_,
                         .undo = undo_,
                         .window = this,
                         .layout = [this] { return windowLayout(); },
                         .setLayout = [this](const auto& layout) { return setWindowLayout(layout); },
                         .chooseModel = [this](bool folder) { return chosenModel(folder); },
                         .hasOther = [this] { return compareAnswers_->otherModel() != nullptr; },
                         .openOther = [this](const QString& path) { compareWith(path); },
                         .isMeasured = [this] { return analyses_->importance() || analyses_->isMeasuring(); },
                         .measure = [this] { analyses_->measureImportance(); }},
                        this);
    if (!startWith_.autosaveFolder.isEmpty())
        autosave_ = new AutosaveDesk(startWith_.autosaveFolder, startWith_.autosaveDelay, queue_, hash_,
                                     sessions_, restoreOffer_, this);
    connectSessions();
}

void MainWindow::connectSessions() {
    const auto on = [this](ActionId id, void (SessionDesk::*what)()) {
        connect((*actions_)[id], &QAction::triggered, sessions_, what);
    };
    connect(trainingTime_, &TrainingTime::chosen, state_, &WindowState::abandon);
    connect(state_, &WindowState::applied, this, [this](const QObject* by) {
        if (by == sessions_)
            layout_->keepAwaited();
    });
    connect(state_, &WindowState::failed, this, [this](const QObject* by) {
        if (by == sessions_)
            layout_->forgetAwaited();
    });
    on(ActionId::OpenSession, &SessionDesk::chooseAndOpen);
    on(ActionId::SaveSession, &SessionDesk::save);
    on(ActionId::SaveSessionAs, &SessionDesk::saveAs);
    connect(sessions_, &SessionDesk::fileChanged, this, &MainWindow::showTitle);
    connect(sessions_, &SessionDesk::done, this,
            [this](const QString& words) { statusBar()->showMessage(words, messageTime); });
    connect(sessions_, &SessionDesk::folderFound, this, &MainWindow::openModelAt);
    connect(compareAnswers_, &CompareAnswers::otherModelChanged, sessions_, &SessionDesk::followOther);
    connect(sessions_, &SessionDesk::refused, message_, &MessagePanel::showRefusal);
    connect(sessions_, &SessionDesk::aboutToShow, message_, &QWidget::hide); // of what was shown before
    if (!autosave_)
        return;
    connect(undo_, &UndoDesk::changed, autosave_, &AutosaveDesk::expect);
    connect(autosave_, &AutosaveDesk::failed, this, [this](const trace::RefusalText& why) {
        statusBar()->showMessage(
            tr("What you see is not saved by itself for now, so that a crash would lose it: %1 (%2)")
                .arg(QString::fromStdString(why.what), QString::fromStdString(why.found)));
    });
}

void MainWindow::showTitle() {
    const auto asItIs = [](QString name) { return name.replace("[*]", "[*][*]"); }; // to Qt a place
    QString title = tr("Headscope");
    if (model_)
        title = tr("%1 - %2").arg(asItIs(widgets::modelTitle(*model_)), title);
    const auto run = controller_->run();
    if (const auto changes =
            run ? std::ranges::count_if(run->request.interventions, &trace::Intervention::on) : 0)
        title = changes == 1 ? tr("1 change - %1").arg(title) : tr("%1 changes - %2").arg(changes).arg(title);
    const QString& file = sessions_->path();
    if (file.isEmpty() && sessions_->isModified())
        title = tr("Restored[*] - %1").arg(title);
    else if (!file.isEmpty())
        title = tr("%1[*] - %2").arg(asItIs(QFileInfo(file).fileName()), title);
    setWindowTitle(title);
    setWindowFilePath(file);
    setWindowModified(sessions_->isModified());
}

/// True where the model that was opened belongs to what is being restored, which says all the rest.
bool MainWindow::restoresModel() {
    if (!state_->isOpening(opener_->openPath()))
        return false;
    chooseFirstHead_ = false;
    startWith_.sentence.reset();
    state_->takeOver();
    return true;
}

} // namespace headscope::app
