#include "app/window/window_sessions.h"

#include "app/document/autosave_controller.h"
#include "app/document/document.h"
#include "app/document/restore_offer.h"
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"
#include "app/document/window_state.h"
#include "app/results/results.h"
#include "app/window/frame/workbench.h"
#include "app/window/top/model_button.h"
#include "app/window/top/sentence_panel.h"
#include "app/window/top/top_bar.h"
#include "app/window/window_places.h"
#include "app/work/model_hash.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace headscope::app {

WindowSessions::WindowSessions(QMainWindow* window, Document* document, const Parts& parts,
                               const Autosave& autosave)
    : QObject(window), window_(window), document_(document), parts_(parts),
      choices_(std::make_unique<widgets::ViewChoices>(
          &document->state(), [document](const auto& choices) { document->choose(choices); })) {
    bindChoices();
    auto* sentence = parts.top->sentence();
    const WindowState::Parts state{
        .queue = document->queue(),
        .controller = document->controller(),
        .opener = document->opener(),
        .selection = document->selection(),
        .model = [document] { return document->model(); },
        .typed = {.text = [edit = sentence->edit()] { return edit->text(); },
                  .setText = [edit = sentence->edit()](const QString& text) { edit->setText(text); },
                  .setSecond = [sentence](const auto& text) { sentence->setSecondText(text); }},
        .choices = choices_.get(),
        .view = [bench = parts.workbench] { return bench->frontKey(); },
        .setView =
            [bench = parts.workbench, document](const std::string& view) {
                if (bench->view(view) && !widgets::lackOf(*widgets::viewSpec(view), document->state()))
                    bench->show(view);
            }};
    state_ = new WindowState(state, this);
    undo_ = new UndoController(state, state_, parts.actions, window);
    connect(parts.workbench, &Workbench::made, undo_, [this](widgets::View* view) {
        view->addChoices(*choices_);
        undo_->watchControls(view);
    });
    buildController(autosave);
    connectController();
    connect(document->controller(), &DecodeController::runChanged, this, &WindowSessions::showTitle);
    connect(document, &Document::modelChanged, this, &WindowSessions::showTitle);
    showTitle();
}

WindowSessions::~WindowSessions() = default;

void WindowSessions::bindChoices() {
    document_->controller()->addChoices(*choices_);
    parts_.top->snapshots()->addChoices(*choices_);
    parts_.top->sentence()->addChoices(*choices_);
    for (auto* view : parts_.workbench->views())
        view->addChoices(*choices_);
    parts_.places->addChoices(*choices_);
}

void WindowSessions::stopUndo() {
    delete std::exchange(undo_, nullptr);
}

ModelHash* WindowSessions::hashOfOther() {
    auto* hash = new ModelHash(document_->queue(), this);
    connect(document_, &Document::secondChanged, hash,
            [document = document_, hash] { hash->follow(document->state().second.model); });
    return hash;
}

void WindowSessions::buildController(const Autosave& autosave) {
    auto* places = parts_.places;
    controller_ = new SessionController(
        {.queue = document_->queue(),
         .hash = parts_.hash,
         .otherHash = hashOfOther(),
         .state = state_,
         .undo = undo_,
         .window = window_,
         .layout = [places] { return places->windowLayout(); },
         .setLayout = [places](const auto& layout) { places->setWindowLayout(layout); },
         .chooseModel = [this](bool folder) { return chosenModel(window_, folder); },
         .hasOther = [document = document_] { return document->state().second.model != nullptr; },
         .openOther = [document = document_](const QString& path) { document->openSecond(path); },
         .isMeasured =
             [shown = document_, known = parts_.results] {
                 const auto question = widgets::importanceQuestion(shown->state());
                 return question &&
                        (known->isAwaited(*question) ||
                         known->of(question->request, std::get<trace::ImportanceWhat>(question->what)));
             },
         .measure = [shown = document_] { shown->measureHeads(); }},
        this);
    document_->setSessions(controller_);
    if (!autosave.folder.isEmpty())
        autosave_ = new AutosaveController(autosave.folder, autosave.delay, document_->queue(), parts_.hash,
                                           controller_, autosave.offer, this);
}

void WindowSessions::connectController() {
    const auto on = [this](ActionId id, void (SessionController::*what)()) {
        connect((*parts_.actions)[id], &QAction::triggered, controller_, what);
    };
    on(ActionId::OpenSession, &SessionController::chooseAndOpen);
    on(ActionId::SaveSession, &SessionController::save);
    on(ActionId::SaveSessionAs, &SessionController::saveAs);
    connect(state_, &WindowState::applied, this, [this](const QObject* by) {
        if (by == controller_)
            parts_.places->layout()->keepAwaited();
    });
    connect(state_, &WindowState::failed, this, [this](const QObject* by) {
        if (by == controller_)
            parts_.places->layout()->forgetAwaited();
    });
    connect(controller_, &SessionController::fileChanged, this, &WindowSessions::showTitle);
    connect(controller_, &SessionController::done, this, &WindowSessions::done);
    connect(controller_, &SessionController::refused, this, &WindowSessions::refused);
    connect(document_, &Document::secondChanged, controller_, &SessionController::followOther);
    if (!autosave_)
        return;
    connect(undo_, &UndoController::changed, autosave_, &AutosaveController::expect);
    connect(autosave_, &AutosaveController::failed, this, [this](const trace::RefusalText& why) {
        Q_EMIT warned(tr("Autosave failed: %1 (%2). Until it works again, a crash loses unsaved work.")
                          .arg(QString::fromStdString(why.what), QString::fromStdString(why.found)));
    });
}

void WindowSessions::showTitle() {
    // Escapes "[*]", which Qt replaces by the modified mark.
    const auto asItIs = [](QString name) { return name.replace("[*]", "[*][*]"); };
    QString title = tr("Headscope");
    if (const auto& model = document_->model())
        title = tr("%1 - %2").arg(asItIs(widgets::modelTitle(*model)), title);
    const auto& run = document_->run();
    if (const auto changes =
            run ? std::ranges::count_if(run->request.interventions, &trace::Intervention::on) : 0)
        title = changes == 1 ? tr("1 change - %1").arg(title) : tr("%1 changes - %2").arg(changes).arg(title);
    const QString& file = controller_->path();
    if (file.isEmpty() && controller_->isModified())
        title = tr("Restored[*] - %1").arg(title);
    else if (!file.isEmpty())
        title = tr("%1[*] - %2").arg(asItIs(QFileInfo(file).fileName()), title);
    window_->setWindowTitle(title);
    window_->setWindowFilePath(file);
    window_->setWindowModified(controller_->isModified());
}

} // namespace headscope::app
