#include "app/window/session_desk.h"

#include "model/trace/refusal.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

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

std::string knownHash(const WeightsFile& weights, const std::stop_token& stop) {
    try {
        const auto hash = weightsHash(weights, std::nullopt, stop);
        return hash.starts_with("sha256:") ? hash : std::string();
    } catch (const trace::Refusal&) {
        return {}; // the session is of use without it
    }
}

SessionDesk::SessionDesk(Parts parts, QObject* parent) : QObject(parent), parts_(std::move(parts)) {
    connect(parts_.queue, &RunQueue::modelOpened, this, [this](const auto& model) {
        weights_ = weightsFile(*model);
        hash_.clear();
        unchecked_ = false;
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
    return path.endsWith(QLatin1String(sessionEnding), Qt::CaseInsensitive) && !QFileInfo(path).isDir();
}

SessionState SessionDesk::state() const {
    auto state = parts_.state->capture();
    state.model.weights = parts_.state->isApplying() ? std::string() : hash_;
    state.layout = parts_.layout();
    return state;
}

WeightsFile SessionDesk::weights() const {
    return parts_.state->isApplying() ? WeightsFile() : weights_;
}

void SessionDesk::setWeightsHash(const WeightsFile& of, const std::string& hash) {
    if (of != weights_)
        return;
    hash_ = hash;
    if (std::exchange(unchecked_, false) && hash != opening_->model.weights)
        askAboutWeights(hashInWords(hash));
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
    write({.state = state(), .path = path, .weights = weights()});
}

/// The state first: reading large weights for their hash takes a while, and may be interrupted.
void SessionDesk::write(Unsaved session) {
    unsaved_ = session;
    parts_.queue->compute(Slot::Session, this,
                          [this, session = std::move(session)](const std::stop_token& stop) mutable {
                              auto& [state, path, weights] = session;
                              saveSession(state, path.toStdString());
                              if (!weights.path.empty() && state.model.weights.empty()) {
                                  state.model.weights = knownHash(weights, stop);
                                  saveSession(state, path.toStdString());
                              }
                              return [this, path, weights, hash = state.model.weights] {
                                  unsaved_.reset();
                                  path_ = path;
                                  setWeightsHash(weights, hash);
                                  Q_EMIT done(tr("Saved %1").arg(path));
                              };
                          });
}

void SessionDesk::finishSaving() {
    if (const auto session = std::exchange(unsaved_, std::nullopt))
        saveSession(session->state, session->path.toStdString());
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
        auto state = readSession(path.toStdString());
        return [this, ownPath, state = std::move(state)] {
            openingPath_ = ownPath;
            take(state);
        };
    });
}

void SessionDesk::take(SessionState state) {
    opening_ = std::move(state);
    if (opening_->model.path.empty() || QFile::exists(QString::fromStdString(opening_->model.path)))
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
    unchecked_ = !opening_->model.weights.empty();
    if (unchecked_)
        parts_.queue->compute(Slot::Session, this, [this, weights = weights_](const std::stop_token& stop) {
            return [this, weights, hash = knownHash(weights, stop)] { setWeightsHash(weights, hash); };
        });
}

void SessionDesk::askAboutWeights(const QString& found) {
    ask();
    question_->setObjectName("other-weights");
    question_->setText(tr("This model has other weights than those of the session."));
    question_->setInformativeText(
        tr("Path: %1\nExpected: %2\nFound: %3\n\nNumbers and pictures may differ from those that were saved.")
            .arg(QString::fromStdString(weights_.path), hashInWords(opening_->model.weights), found));
    offerSearch(question_);
    question_->setDefaultButton(question_->addButton(tr("&Go On"), QMessageBox::AcceptRole));
    question_->open();
}

} // namespace headscope::app
