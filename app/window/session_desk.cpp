#include "app/window/session_desk.h"

#include "model/trace/refusal.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <filesystem>
#include <functional>
#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;

QString filter() {
    return SessionDesk::tr("Sessions (*%1)").arg(QLatin1String(sessionEnding));
}

/// For a line of a message.
QString hashInWords(const std::string& hash) {
    return hash.empty() ? SessionDesk::tr("not known") : QString::fromStdString(hash);
}

} // namespace

SessionDesk::SessionDesk(Parts parts, QObject* parent) : QObject(parent), parts_(std::move(parts)) {
    connect(parts_.queue, &RunQueue::modelOpened, this, [this] {
        if (unsaved_) // opening a model interrupts what is under way
            write(*unsaved_);
    });
    connect(parts_.state, &WindowState::applied, this, [this](const QObject* by) {
        if (by != this)
            return;
        path_ = openingPath_;
        checkWeights();
        Q_EMIT shown(path_.isEmpty());
    });
    connect(parts_.state, &WindowState::failed, this, [this](const QObject* by) {
        if (by == this)
            Q_EMIT notShown();
    });
    connect(parts_.queue, &RunQueue::refused, this, [this](Slot slot) {
        if (slot != Slot::Session)
            return;
        unsaved_.reset(); // the person is told
        Q_EMIT notShown();
    });
}

bool SessionDesk::isSession(const QString& path) {
    return path.endsWith(QLatin1String(sessionEnding), Qt::CaseInsensitive);
}

SessionState SessionDesk::state() const {
    auto state = parts_.state->capture();
    state.model.weights = parts_.state->isApplying() ? std::string() : parts_.hash->known();
    state.layout = parts_.layout();
    return state;
}

void SessionDesk::save() {
    path_.isEmpty() ? saveAs() : saveTo(path_);
}

void SessionDesk::saveAs() {
    const QString name = QStringLiteral("session") + QLatin1String(sessionEnding);
    QFileDialog dialog(parts_.window, tr("Save Session"), QFileInfo(path_).path(), filter());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QLatin1String(sessionEnding).mid(1)); // before it asks about a file that is there
    dialog.selectFile(path_.isEmpty() ? name : path_);
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty())
        saveTo(dialog.selectedFiles().front());
}

void SessionDesk::saveTo(const QString& path) {
    write({.state = state(), .path = path});
}

void SessionDesk::Saves::write(const Unsaved& session) {
    const std::lock_guard lock(writing);
    if (session.number == newest)
        saveSession(session.state, session.path.toStdString());
}

void SessionDesk::write(Unsaved session) {
    session.number = ++saves_->newest;
    unsaved_ = session;
    parts_.queue->compute(Slot::Session, this, [this, saves = saves_, session = std::move(session)] {
        saves->write(session);
        return [this, session] {
            unsaved_.reset();
            path_ = session.path;
            Q_EMIT done(tr("Saved %1").arg(session.path));
            completeWithHash(session);
        };
    });
}

/// The state first, and then what takes a while to be read of large weights; unless something else was saved
/// meanwhile. The hash is that of the model that is open, which may be another one by now.
void SessionDesk::completeWithHash(Unsaved session) {
    const auto& model = session.state.model;
    if (!model.weights.empty() || model.path.empty() || parts_.state->isApplying() ||
        model.path != parts_.state->capture().model.path)
        return;
    parts_.hash->ask(this, [this, session = std::move(session)](const std::string& hash) mutable {
        if (!ModelHash::isHash(hash) || session.number != saves_->newest)
            return;
        session.state.model.weights = hash;
        parts_.queue->compute(Slot::Weights, this, [saves = saves_, session = std::move(session)] {
            saves->write(session);
            return [] {};
        });
    });
}

void SessionDesk::finishSaving() {
    if (const auto session = std::exchange(unsaved_, std::nullopt))
        saves_->write(*session);
}

void SessionDesk::chooseAndOpen() {
    const QString path =
        QFileDialog::getOpenFileName(parts_.window, tr("Open Session"), QFileInfo(path_).path(), filter());
    if (!path.isEmpty())
        open(path);
}

void SessionDesk::open(const QString& path) {
    read(path, path);
}

void SessionDesk::restore(const QString& path) {
    read(path, {});
}

void SessionDesk::read(const QString& path, const QString& ownPath) {
    parts_.queue->compute(Slot::Session, this, [this, path, ownPath](const std::stop_token&) {
        std::error_code ignored;
        if (std::filesystem::is_directory(path.toStdString(), ignored))
            return std::function<void()>([this, path] { Q_EMIT folderFound(path); });
        const auto state = readSession(path.toStdString());
        const bool isModelThere =
            state.model.path.empty() || std::filesystem::exists(state.model.path, ignored);
        return std::function<void()>([this, ownPath, state, isModelThere] {
            openingPath_ = ownPath;
            take(state, isModelThere);
        });
    });
}

void SessionDesk::take(SessionState state, bool isModelThere) {
    opening_ = std::move(state);
    if (isModelThere)
        show();
    else
        askForModel();
}

void SessionDesk::show() {
    if (const auto layout = std::exchange(opening_->layout, std::nullopt))
        parts_.setLayout(*layout);
    auto state = *opening_;
    state.model.weights.clear();
    parts_.state->apply(state, this);
}

void SessionDesk::useModel(const QString& path) {
    if (!opening_ || path.isEmpty())
        return;
    opening_->model.path = QFileInfo(path).absoluteFilePath().toStdString();
    show();
}

void SessionDesk::ask() {
    if (question_)
        question_->close();
    question_ = new QMessageBox(parts_.window);
}

/// Whatever the window shows meanwhile stays until there is a model.
void SessionDesk::askForModel() {
    ask();
    question_->setObjectName("missing-model");
    question_->setText(tr("The model of this session is not there."));
    question_->setInformativeText(
        tr("Path: %1\nWeights: %2\n\nWhere is it now?")
            .arg(QString::fromStdString(opening_->model.path), hashInWords(opening_->model.weights)));
    offerSearch(question_);
    connect(question_->addButton(QMessageBox::Cancel), &QPushButton::clicked, this, &SessionDesk::notShown);
    question_->open();
}

void SessionDesk::offerSearch(QMessageBox* box) {
    box->setIcon(QMessageBox::Warning);
    box->setTextFormat(Qt::PlainText); // names of files
    box->setAttribute(Qt::WA_DeleteOnClose);
    for (const bool folder : {true, false}) {
        auto* find = box->addButton(folder ? tr("Find the &Folder...") : tr("Find the &File..."),
                                    QMessageBox::ActionRole);
        connect(find, &QPushButton::clicked, this,
                [this, folder, isMissing = box->objectName() == QLatin1String("missing-model")] {
                    const QString path = parts_.chooseModel(folder);
                    if (path.isEmpty() && isMissing)
                        askForModel(); // until it is found, or cancelled here
                    else
                        useModel(path);
                });
    }
}

/// What is seen is seen; whether it is of the same weights takes a moment to find out.
void SessionDesk::checkWeights() {
    if (const auto expected = opening_->model.weights; !expected.empty())
        parts_.hash->ask(this, [this, expected](const std::string& found) {
            if (found != expected && opening_ && opening_->model.weights == expected)
                askAboutWeights(hashInWords(ModelHash::isHash(found) ? found : std::string()));
        });
}

void SessionDesk::askAboutWeights(const QString& found) {
    ask();
    question_->setObjectName("other-weights");
    question_->setText(tr("This model has other weights than those of the session."));
    question_->setInformativeText(
        tr("Path: %1\nExpected: %2\nFound: %3\n\nNumbers and pictures may differ from those that were saved.")
            .arg(QString::fromStdString(opening_->model.path), hashInWords(opening_->model.weights), found));
    offerSearch(question_);
    question_->setDefaultButton(question_->addButton(tr("&Go On"), QMessageBox::AcceptRole));
    question_->open();
}

} // namespace headscope::app
