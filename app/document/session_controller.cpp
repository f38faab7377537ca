#include "app/document/session_controller.h"

#include "app/desktop/file_dialogs.h"
#include "app/document/session_questions.h"
#include "app/document/undo_controller.h"
#include "app/models/resource_folders.h"

#include <QFileInfo>
#include <QPointer>

#include <filesystem>
#include <functional>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;
using Which = SessionQuestions::Which;

QString filter() {
    return SessionController::tr("Sessions (*%1)").arg(QLatin1String(sessionEnding));
}

} // namespace

SessionController::SessionController(Parts parts, QObject* parent)
    : QObject(parent), parts_(std::move(parts)),
      questions_(new SessionQuestions(parts_.window, parts_.chooseModel, this)) {
    connect(parts_.queue, &WorkQueue::modelOpened, this, [this] {
        if (unsaved_) // opening a model cancels other jobs
            write(*unsaved_);
    });
    connect(parts_.state, &WindowState::applied, this, [this](const QObject* by) {
        if (by != this)
            return;
        const bool isBack = std::exchange(goingBack_, false);
        if (isBack)
            parts_.undo->goBackTo(before_->history);
        isRestored_ = openingPath_.isEmpty() && !isResumed_ && !isBack;
        setFile(openingPath_, isBack ? before_->saved : step());
        if (isBack)
            before_.reset();
        shownPlace_ = parts_.undo->history().place();
        shownStep_ = step();
        if (opening_->importanceMeasured)
            parts_.measure();
        if (!isOtherThere_)
            questions_->askFor(Which::Second,
                               {.path = otherModelOf(*opening_), .weights = opening_->otherWeights},
                               [this](const QString& path) { useOther(path); });
        if (isBack)
            Q_EMIT notShown();
        else
            checkWeights();
        followOther(); // the second model may already have been open
    });
    connect(parts_.state, &WindowState::failed, this, [this](const QObject* by) {
        if (by != this)
            return;
        goingBack_ = false;
        Q_EMIT notShown();
    });
    connect(parts_.undo, &UndoController::changed, this, &SessionController::fileChanged);
}

bool SessionController::isSession(const QString& path) {
    return path.endsWith(QLatin1String(sessionEnding), Qt::CaseInsensitive);
}

bool SessionController::isModified() const {
    return path_.isEmpty() ? isRestored_ : !(step() == saved_);
}

/// Changes that the program makes by itself, late results for instance, do not count.
SessionState SessionController::step() const {
    return parts_.undo->history().isEmpty() ? parts_.state->capture() : parts_.undo->present();
}

void SessionController::setFile(const QString& path, const SessionState& saved) {
    path_ = path;
    saved_ = saved;
    Q_EMIT fileChanged();
}

SessionState SessionController::state() const {
    auto state = parts_.state->toSave();
    state.model.weights = parts_.state->isApplying() ? std::string() : parts_.hash->known();
    state.layout = parts_.layout();
    state.importanceMeasured = parts_.isMeasured();
    if (const auto other = otherModelOf(state); !other.empty()) {
        state.otherWeights = parts_.otherHash->known();
        if (state.otherWeights.empty() && opening_ && otherModelOf(*opening_) == other)
            state.otherWeights = opening_->otherWeights; // the second model may be missing
    }
    return state;
}

void SessionController::save() {
    path_.isEmpty() ? saveAs() : saveTo(path_);
}

void SessionController::saveAs() {
    const QString name = QStringLiteral("session") + QLatin1String(sessionEnding);
    const QString path = askFileToSave({.window = parts_.window,
                                        .title = tr("Save Session"),
                                        .start = path_.isEmpty() ? name : path_,
                                        .filters = filter()},
                                       Replacing::AskedByDialog);
    if (!path.isEmpty())
        saveTo(path);
}

void SessionController::saveTo(const QString& path) {
    parts_.undo->settle();
    write({.state = state(), .step = step(), .path = path});
}

void SessionController::Saves::write(const Unsaved& session) {
    const std::lock_guard lock(writing);
    if (session.number == newest)
        saveSession(session.state, session.path.toStdString());
}

void SessionController::write(Unsaved session) {
    session.number = ++saves_->newest;
    unsaved_ = session;
    doWithFile([this, saves = saves_, session = std::move(session)] {
        saves->write(session);
        return [this, session] {
            unsaved_.reset();
            setFile(session.path, session.step);
            Q_EMIT done(tr("Saved %1").arg(session.path), session.path);
            completeWithHash(session);
        };
    });
}

/// Writes the session again once the weights' hash is known, since hashing large weights takes a while.
/// Skipped if something else was saved meanwhile, or if another model is open by now.
void SessionController::completeWithHash(Unsaved session) {
    const auto& model = session.state.model;
    if (!model.weights.empty() || model.path.empty())
        return completeWithOther(std::move(session));
    if (parts_.state->isApplying() || model.path != parts_.state->capture().model.path)
        return;
    parts_.hash->ask(this, [this, session = std::move(session)](const std::string& hash) mutable {
        if (!ModelHash::isHash(hash) || session.number != saves_->newest)
            return;
        session.state.model.weights = hash;
        parts_.queue->compute(JobKind::Background, this,
                              [this, saves = saves_, session = std::move(session)] {
                                  saves->write(session);
                                  return [this, session] { completeWithOther(session); };
                              });
    });
}

void SessionController::completeWithOther(Unsaved session) {
    const auto other = otherModelOf(session.state);
    if (!session.state.otherWeights.empty() || other.empty() || !parts_.hasOther() ||
        other != otherModelOf(parts_.state->capture()))
        return;
    parts_.otherHash->ask(this, [this, session = std::move(session)](const std::string& hash) mutable {
        if (!ModelHash::isHash(hash) || session.number != saves_->newest)
            return;
        session.state.otherWeights = hash;
        parts_.queue->compute(JobKind::Background, this, [saves = saves_, session = std::move(session)] {
            saves->write(session);
            return [] {};
        });
    });
}

/// Completes the pending write before returning.
void SessionController::finishSaving() {
    if (const auto session = std::exchange(unsaved_, std::nullopt)) {
        saves_->write(*session);
        setFile(session->path, session->step);
    }
}

bool SessionController::mayClose() {
    finishSaving();
    parts_.undo->settle(); // includes the most recent action
    if (isGivenUp_ || !isModified())
        return true;
    askToSave();
    return false;
}

/// Closes the window after the answer, unless the user cancels or saving fails. Opening another session asks
/// nothing, as that step can be undone.
void SessionController::askToSave() {
    questions_->askToSave(path_, [this](bool isSaved) {
        if (isSaved)
            save();
        if (isSaved && path_.isEmpty() && !unsaved_)
            return; // the user named no file
        const QPointer<SessionController> self(this);
        isGivenUp_ = !isSaved;
        parts_.window->close();
        if (self)
            isGivenUp_ = false; // something else may have kept the window open
    });
}

void SessionController::chooseAndOpen() {
    const QString path = askFileToOpen({.window = parts_.window,
                                        .title = tr("Open Session"),
                                        .start = QFileInfo(path_).path(),
                                        .filters = filter()});
    if (!path.isEmpty())
        open(path);
}

void SessionController::open(const QString& path) {
    read(path, path);
}

void SessionController::restore(const QString& path) {
    read(path, {});
}

void SessionController::resume(const QString& path) {
    read(path, {});
    isResumed_ = true;
}

void SessionController::doWithFile(std::function<std::function<void()>()> work) {
    parts_.queue->compute(JobKind::Awaited, this,
                          [work = std::move(work)](const trace::Task&) { return work(); },
                          {.refused = [this](const trace::RefusalText& text) {
                              unsaved_.reset();
                              Q_EMIT refused(text);
                              Q_EMIT notShown();
                          }});
}

void SessionController::read(const QString& path, const QString& ownPath) {
    isResumed_ = false;
    doWithFile([this, path, ownPath] {
        std::error_code ignored;
        if (std::filesystem::is_directory(path.toStdString(), ignored))
            return std::function<void()>([this, path] { Q_EMIT folderFound(path); });
        const auto state = readSession(path.toStdString());
        const auto isThere = [&](const std::string& model) {
            return model.empty() || std::filesystem::exists(resolveModel(model), ignored);
        };
        return std::function<void()>([this, path, ownPath, state, model = isThere(state.model.path),
                                      other = isThere(otherModelOf(state))] {
            if (state.model.path.empty() && parts_.state->hasModel())
                return refuseWithoutModel(path);
            openingPath_ = ownPath;
            isModelThere_ = model;
            isOtherThere_ = other;
            take(state);
        });
    });
}

/// A session saved without a model must not be shown with the model that happens to be open.
void SessionController::refuseWithoutModel(const QString& path) {
    Q_EMIT refused({.what = tr("This session names no model").toStdString(),
                    .where = path.toStdString(),
                    .expected = tr("the name of its model").toStdString(),
                    .wayOut = tr("open it in a separate window: headscope %1").arg(path).toStdString()});
    Q_EMIT notShown();
}

void SessionController::take(SessionState state) {
    goingBack_ = false;
    before_.reset();
    if (parts_.state->hasModel()) {
        parts_.undo->settle();
        before_ = {.state = this->state(), .path = path_, .saved = saved_, .history = parts_.undo->history()};
    }
    opening_ = std::move(state);
    if (isModelThere_)
        show();
    else
        questions_->askFor(
            Which::Shown, {.path = opening_->model.path, .weights = opening_->model.weights},
            [this](const QString& path) { useModel(path); }, [this] { Q_EMIT notShown(); });
}

void SessionController::show() {
    Q_EMIT aboutToShow();
    parts_.setLayout(std::exchange(opening_->layout, std::nullopt));
    auto state = *opening_;
    state.model.weights.clear();
    state.otherWeights.clear();
    state.importanceMeasured = false;
    parts_.state->apply(state, this);
}

void SessionController::useModel(const QString& path) {
    if (!opening_ || path.isEmpty())
        return;
    opening_->model.path = QFileInfo(path).absoluteFilePath().toStdString();
    show();
}

void SessionController::useOther(const QString& path) {
    if (path.isEmpty())
        return;
    isOtherThere_ = true;
    parts_.openOther(path);
}

/// True if nothing was done since the session was shown, which going back would discard.
bool SessionController::isAsShown() const {
    return parts_.undo->history().place() == shownPlace_ && step() == shownStep_;
}

/// Shows the previous state as if it were a session saved just before.
void SessionController::goBack() {
    questions_->putAway();
    goingBack_ = true;
    opening_ = before_->state;
    opening_->model.weights.clear(); // skips the check: it was open with these weights
    opening_->otherWeights.clear();
    openingPath_ = before_->path;
    isOtherThere_ = true;
    show();
}

/// Null if there is nothing to go back to.
std::function<void()> SessionController::wayBack(bool isOffered) {
    return isOffered && before_ && isAsShown() ? [this] { goBack(); } : std::function<void()>();
}

/// The session is already shown; whether its weights match is found out later, as hashing takes a moment.
void SessionController::checkWeights() {
    const auto expected = opening_->model.weights;
    const bool restored = openingPath_.isEmpty();
    if (expected.empty())
        return shown(restored);
    const std::string left = "another model is open";
    parts_.hash->ask(
        this,
        [this, expected, restored, left](const std::string& found) {
            if (found == expected || found == left || opening_->model.weights != expected)
                return Q_EMIT shown(restored);
            questions_->askAboutWeights(Which::Shown, {.path = opening_->model.path, .weights = expected},
                                        {.weights = ModelHash::isHash(found) ? found : std::string(),
                                         .use = [this](const QString& path) { useModel(path); },
                                         .goOn = [this] { Q_EMIT shown(openingPath_.isEmpty()); },
                                         .goBack = wayBack(true)});
        },
        left);
}

void SessionController::followOther() {
    if (!opening_ || opening_->otherWeights.empty() || !isOtherThere_ || !parts_.hasOther() ||
        parts_.state->isApplying())
        return;
    parts_.otherHash->ask(this, [this, expected = opening_->otherWeights](const std::string& found) {
        if (!opening_ || opening_->otherWeights != expected)
            return;
        opening_->otherWeights.clear(); // ask only once
        if (found == expected)
            return;
        questions_->askAboutWeights(Which::Second,
                                    {.path = otherModelOf(parts_.state->capture()), .weights = expected},
                                    {.weights = ModelHash::isHash(found) ? found : std::string(),
                                     .use = [this](const QString& path) { useOther(path); },
                                     // A restored state exists nowhere else any more.
                                     .goBack = wayBack(!openingPath_.isEmpty())});
    });
}

} // namespace headscope::app
