#include "app/window/main_window.h"

#include "app/desktop/file_dialogs.h"
#include "app/desktop/message_panel.h"
#include "app/desktop/toast.h"
#include "app/document/autosave_controller.h"
#include "app/document/choice_actions.h"
#include "app/document/restore_offer.h"
#include "app/document/session_controller.h"
#include "app/export/figure_exporter.h"
#include "app/export/trace_saver.h"
#include "app/models/resource_folders.h"
#include "app/results/results.h"
#include "app/results/served_view.h"
#include "app/training/train_page.h"
#include "app/window/appearance.h"
#include "app/window/former_keys.h"
#include "app/window/frame/workbench.h"
#include "app/window/head_actions.h"
#include "app/window/help_dialogs.h"
#include "app/window/home/guide.h"
#include "app/window/home/home_page.h"
#include "app/window/home/welcome_strip.h"
#include "app/window/next_unsure.h"
#include "app/window/opened_model.h"
#include "app/window/preferences.h"
#include "app/window/shortcut_rules.h"
#include "app/window/step_player.h"
#include "app/window/timing.h"
#include "app/window/top/decode_popups.h"
#include "app/window/top/head_bar.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/top_bar.h"
#include "app/window/top/typed_sentence.h"
#include "app/window/view_menus.h"
#include "app/window/window_intents.h"
#include "app/window/window_places.h"
#include "app/window/window_search.h"
#include "app/window/window_sessions.h"
#include "app/window/window_status.h"
#include "app/window/zoom_keys.h"
#include "app/work/model_hash.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/drawing/window_style.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QLineEdit>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::app {

MainWindow::MainWindow(WorkQueue::MakeEngine makeEngine, StartWith startWith)
    : makeEngine_(std::move(makeEngine)), startWith_(std::move(startWith)), actions_(new Actions(this)),
      document_(new Document(makeEngine_, &settings_, this)), results_(new Results(document_->queue(), this)),
      hash_(new ModelHash(document_->queue(), this)) {
    document_->choose("window", "space-marks", settings_.spaceMarks());
    new ChoiceActions(document_, actions_, this);
    connectResults(document_, results_);
    QApplication::setStyle(new widgets::WindowStyle);
    setWindowTitle(tr("Headscope"));
    setAcceptDrops(true);
    setFocusPolicy(Qt::ClickFocus);
    connect(document_->queue(), &WorkQueue::modelOpened, hash_, &ModelHash::follow);
    buildParts();
    buildControllers();
    connectSentence();
    connectViews();
    connectActions();
    connectRun();
    connectWork();
    buildSessions();
    std::ranges::for_each(workbench_->views(), [this](auto* view) { addView(view); });
    connect(workbench_, &Workbench::made, this, &MainWindow::addView);
    places_->restore();
    showRun(nullptr);
    setFocus();
}

MainWindow::~MainWindow() {
    sessions_->stopUndo(); // it watches widgets that are destroyed next
    hide();                // panels stop their computations while their receivers still exist
    delete document_;
}

/// Starts loading the engine only after the window is painted.
bool MainWindow::event(QEvent* event) {
    // Also starts if nothing is painted, because the window is minimised or covered from the start.
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
    // Before the engine: while LibTorch is loaded, other users of the dynamic loader's lock have to wait,
    // such as the first search for files.
    if (auto* saved = sessions_->autosave())
        saved->offerLeft();
    if (!restoreOffer_->isHidden() && !strip_->introduces())
        strip_->hide();
    document_->start();
    workbench_->makeRest(); // while the engine is loaded
    const auto bundled = bundledModels();
    if (!startWith_.model.isEmpty())
        openModel(startWith_.model);
    else if (!bundled.empty())
        openModel(QString::fromStdString(bundled.front()));
    else
        workbench_->showNoModel();
    document_->lookForModel();
}

void MainWindow::buildParts() {
    top_ = new TopBar(document_, settings_, actions_, this);
    setMenuWidget(top_);
    buildCentre();
    constexpr QSize frame(16, 48); // approximate window decorations
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() - frame));
    typed_ = new TypedSentence(document_, &settings_, top_->sentence(), startWith_.sentence, this);
    new StepPlayer(document_, *actions_, this);
    popups_ = new DecodePopups(this, document_->controller(), &settings_, *actions_);
    status_ = new WindowStatus(document_, this);
    setStatusBar(status_);
    connect(home_, &HomePage::shown, status_, &WindowStatus::setHomeShown);
    new Appearance(&settings_, *actions_, this);
    new ShortcutRules(this);
    formerKeys_ = new FormerKeys(*actions_, &settings_, this);
    toast_ = new Toast((*actions_)[ActionId::Undo], this);
    connect(formerKeys_, &FormerKeys::said, toast_, &Toast::say);
}

void MainWindow::buildCentre() {
    message_ = new MessagePanel(this);
    restoreOffer_ = new RestoreOffer(this);
    strip_ = new WelcomeStrip(this);
    home_ = new HomePage(settings_, *actions_, this);
    workbench_ =
        new Workbench(document_->selection(), actions_, top_->sentence(), top_->heads(), home_, this);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(restoreOffer_);
    column->addWidget(message_);
    column->addWidget(strip_);
    column->setSpacing(0);
    column->addWidget(workbench_, 1);
    setCentralWidget(centre);
}

void MainWindow::buildControllers() {
    exporter_ = new FigureExporter({.queue = document_->queue(),
                                    .hash = hash_,
                                    .controller = controller(),
                                    .opener = document_->opener(),
                                    .selection = selection(),
                                    .settings = &settings_,
                                    .window = this,
                                    .choices = [this] { return sessions_->choices().all(); }},
                                   this);
    const auto said = std::make_shared<trace::RefusalText>();
    connect(exporter_, &FigureExporter::refused, this, [this, said](const trace::RefusalText& text) {
        *said = text;
        message_->showRefusal(text);
    });
    connect(exporter_, &FigureExporter::done, this, [this, said] { message_->takeBack(*said); });
    connect(exporter_, &FigureExporter::done, toast_, &Toast::sayDone);
    menus_ = new ViewMenus(document_, workbench_, exporter_, actions_, this);
    connect(top_->sentence(), &SentencePanel::tokenMenuWanted, menus_, &ViewMenus::openOfToken);
    connect(top_->sentence(), &SentencePanel::headSwitchedOff, toast_, &Toast::sayUndoable);
    connect(workbench_, &Workbench::changed, this,
            [this] { top_->sentence()->setTargetElsewhere(workbench_->showsTarget()); });
    traces_ = new TraceSaver(document_, results_, this);
    connect(traces_, &TraceSaver::done, toast_, &Toast::sayDone);
    // Queued, until the new model is shown whose opening cancelled the saving.
    connect(traces_, &TraceSaver::refused, message_, &MessagePanel::showRefusal, Qt::QueuedConnection);
    connect(traces_, &TraceSaver::savingChanged, status_, &WindowStatus::follow);
}

void MainWindow::connectSentence() {
    auto* panel = top_->sentence();
    connect(panel->edit(), &widgets::SentenceEdit::submitted, this,
            [this] { setFocus(); }); // so that the arrow keys step through the tokens; Ctrl+L goes back
    connect((*actions_)[ActionId::Decode], &QAction::triggered, typed_, &TypedSentence::submit);
    connect((*actions_)[ActionId::EditSentence], &QAction::triggered, panel,
            [line = panel->edit()->lineEdit()] {
                line->setFocus(Qt::ShortcutFocusReason);
                line->selectAll();
            });
    connect(popups_, &DecodePopups::said, status_, &WindowStatus::say);
    auto* unsure = new NextUnsure(document_, results_, popups_, actions_, this);
    connect(unsure, &NextUnsure::said, status_, &WindowStatus::say);
    connect(popups_, &DecodePopups::unsureBelowChanged, panel, &SentencePanel::setUnsureBelow);
    panel->setUnsureBelow(popups_->unsureBelow());
    connect(popups_, &DecodePopups::unsureBelowChanged, document_, &Document::setUnsureBelow);
    document_->setUnsureBelow(popups_->unsureBelow());
}

IntendedParts MainWindow::intended() {
    return {.document = document_,
            .results = results_,
            .workbench = workbench_,
            .sentence = top_->sentence(),
            .typed = typed_,
            .exporter = exporter_,
            .actions = actions_,
            .settings = &settings_};
}

void MainWindow::connectView(widgets::View* view) {
    serve(view, document_, results_);
    status_->describe(view, &widgets::View::cellDescribed);
    connect(view, &widgets::View::intended, this,
            [this, view](const auto& intent) { carryOut(intent, view, intended()); });
    menus_->offer(view);
}

void MainWindow::addView(widgets::View* view) {
    connectView(view);
    followActions(view, intended());
}

void MainWindow::connectViews() {
    std::ranges::for_each(top_->sentence()->views(), [this](auto* view) { connectView(view); });
    app::connectActions(intended());
    auto* heads = new HeadActions(document_, results_, workbench_, top_->heads(), actions_, this);
    connect(heads, &HeadActions::said, status_, &WindowStatus::say);
    auto* search = new WindowSearch({.window = this,
                                     .document = document_,
                                     .results = results_,
                                     .heads = heads,
                                     .models = top_->models(),
                                     .workbench = workbench_,
                                     .actions = actions_});
    connect(search, &WindowSearch::pageChosen, this, [this](const auto& page) { guide_->showLearn(page); });
}

void MainWindow::connectActions() {
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    on(ActionId::Quit, &QWidget::close);
    on(ActionId::SaveTrace, [this] { traces_->save(); });
    on(ActionId::Train, &MainWindow::showTraining);
    on(ActionId::Preferences, [this] { showPreferences(*actions_, popups_, &settings_, this); });
    on(ActionId::About, [this] { showAbout(document_->model().get(), this); });
    on(ActionId::SelfCheck, [this] { status_->badge()->click(); });
    on(ActionId::CopyCell, [this] {
        if (!status_->cell().isEmpty())
            QApplication::clipboard()->setText(status_->cell());
    });
    on(ActionId::CopyTranslation, [this] {
        if (const auto& run = document_->run())
            QApplication::clipboard()->setText(QString::fromStdString(run->output));
    });
    on(ActionId::Unpin, [this] {
        selection()->clearPinned();
        selection()->setCursor({});
        setFocus(); // leaves the sentence field, so that the arrow keys step again
    });
    on(ActionId::ResetLayout, [this] { places_->reset(); });
    const auto zoom = [this](int key) { pressZoomKey(*workbench_->front(), key); };
    on(ActionId::FitMap, [this, zoom] {
        std::ranges::for_each(workbench_->views(), &widgets::View::fit);
        zoom(Qt::Key_0);
    });
    on(ActionId::ZoomIn, [zoom] { zoom(Qt::Key_Plus); });
    on(ActionId::ZoomOut, [zoom] { zoom(Qt::Key_Minus); });
    on(ActionId::Stop, [this] {
        document_->queue()->stop(WorkQueue::JobKind::Model);
        document_->stopOpeningSecond();
        const auto ofTwin = widgets::twinImportanceQuestion(document_->state());
        if (widgets::isMeasured(document_->state(), *results_) || (ofTwin && results_->isAwaited(*ofTwin)))
            document_->stopMeasuring();
        results_->stop();
        traces_->stop();
    });
    top_->sentence()->setSpaceMarksShown(settings_.spaceMarks());
    connect((*actions_)[ActionId::SpaceMarks], &QAction::toggled, this, [this](bool shown) {
        settings_.setSpaceMarks(shown);
        top_->sentence()->setSpaceMarksShown(shown);
    });
}

void MainWindow::connectWork() {
    connect(document_->queue(), &WorkQueue::refused, this,
            [this](WorkQueue::JobKind kind, const auto& text, bool wasReported) {
                if (!wasReported && kind != WorkQueue::JobKind::Model) // the opener reports those
                    message_->showRefusal(text);
            });
    connect(controller(), &DecodeController::refused, message_, &MessagePanel::showRefusal);
    status_->addWork([this] { return document_->state().corpus.underWay != nullptr; },
                     tr("Running sentences..."));
    status_->addWork([this] { return widgets::isMeasured(document_->state(), *results_); },
                     tr("Measuring heads..."));
    status_->addWork([this] { return document_->state().second.isOpening(); },
                     tr("Opening the second model..."));
    status_->addWork([this] { return results_->isLong(); }, tr("Computing..."));
    status_->addWork([this] { return traces_->isSaving(); }, tr("Saving the trace..."));
    connect(status_, &WindowStatus::busyChanged, this, [this](bool busy) {
        actions_->setEnabled(ActionId::Stop, busy,
                             tr("Nothing is being opened, decoded, measured or saved."));
    });
}

void MainWindow::connectRun() {
    connect(controller(), &DecodeController::runChanged, this, &MainWindow::showRun);
    const auto showKnown = [this] {
        top_->sentence()->setKnown({.document = &document_->state(), .known = results_});
    };
    connect(document_, &Document::stateChanged, this, showKnown);
    connect(results_, &Results::changed, this, showKnown);
}

void MainWindow::openModel(const QString& pathOrName) {
    opened_->open(pathOrName);
}

void MainWindow::buildSessions() {
    places_ = new WindowPlaces(this, workbench_, &settings_);
    sessions_ = new WindowSessions(
        this, document_,
        {.results = results_,
         .hash = hash_,
         .actions = actions_,
         .workbench = workbench_,
         .top = top_,
         .places = places_},
        {.folder = startWith_.autosaveFolder, .delay = startWith_.autosaveDelay, .offer = restoreOffer_});
    connect(sessions_, &WindowSessions::refused, message_, &MessagePanel::showRefusal);
    connect(sessions_, &WindowSessions::done, toast_, &Toast::sayDone);
    connect(sessions_, &WindowSessions::warned, status_, [this](const QString& words) {
        status_->showMessage(words); // until the next message
    });
    exporter_->rememberUsual();
    opened_ = new OpenedModel({.window = this,
                               .document = document_,
                               .actions = actions_,
                               .top = top_,
                               .typed = typed_,
                               .message = message_,
                               .home = home_,
                               .workbench = workbench_,
                               .popups = popups_,
                               .sessions = sessions_,
                               .settings = &settings_});
    connect(opened_, &OpenedModel::offered, toast_, &Toast::offer);
    guide_ = new Guide(intended(), sessions_->controller(), opened_, strip_);
    guide_->begin(startWith_.lastFile, !startWith_.model.isEmpty() || startWith_.sentence);
}

void MainWindow::compareWith(const QString& pathOrName) {
    document_->openSecond(pathOrName);
}

void MainWindow::showRun(const std::shared_ptr<const trace::Run>& run) {
    top_->sentence()->setRun(run);
    for (auto* view : workbench_->views())
        view->setRun(run);
    const QString nothing = tr("Nothing is decoded yet. %1").arg(widgets::hintForNoRun(*this));
    for (const auto id : {ActionId::ToStart, ActionId::Back, ActionId::Forward, ActionId::ToEnd,
                          ActionId::RunTo, ActionId::NextUnsure, ActionId::CopyTranslation,
                          ActionId::CopyCommand, ActionId::SavePicture, ActionId::SaveData,
                          ActionId::SaveTrace, ActionId::CopyPicture, ActionId::CopyTable, ActionId::Tour})
        actions_->setEnabled(id, run != nullptr, nothing);
    if (run && !std::exchange(heatmapReported_, true))
        QTimer::singleShot(0, this, [] { reportTiming("first heatmap"); });
}

void MainWindow::showTraining() {
    if (!training_) {
        training_ = new TrainPage(makeEngine_, this);
        training_->followWindow(document_, top_->snapshots());
        workbench_->addPage(ActionId::Train, training_);
        connect(training_, &TrainPage::modelWanted, this, &MainWindow::openModel);
        for (auto* view : training_->views())
            menus_->offer(view);
    }
    workbench_->showPage(ActionId::Train);
}

void MainWindow::leaveComputing() {
    document_->leaveComputing();
    if (training_)
        training_->leaveComputing();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (traces_->isSaving()) {
        message_->showRefusal(
            {.what = tr("A trace is being saved and would be lost").toStdString(),
             .wayOut =
                 tr("wait until it is saved, or stop it with Ctrl+. and close the window").toStdString()});
        return event->ignore();
    }
    try {
        if (!sessions_->controller()->mayClose())
            return event->ignore();
    } catch (const trace::Refusal& refusal) {
        message_->showRefusal(refusal.text());
        return event->ignore();
    }
    if (training_ && !training_->mayClose()) // asked last, as it acts on the answer
        return event->ignore();
    places_->remember();
    guide_->keepLast();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!draggedPath(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openModel(draggedPath(*event->mimeData()));
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    const QKeySequence keys(event->keyCombination());
    const QString why = actions_->whyNot(keys);
    if (why.isEmpty())
        return QMainWindow::keyPressEvent(event);
    formerKeys_->explain(keys);
    status_->say(why.simplified());
}

} // namespace headscope::app
