// Questions about a session's models that are missing or have other weights.
#include "app/document/session_controller.h"
#include "app/document/undo_controller.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace headscope::app {

namespace {

QString hashInWords(const std::string& hash) {
    return hash.empty() ? SessionController::tr("not known") : QString::fromStdString(hash);
}

/// Adds the button Continue. Escape does the same unless there is a Cancel button (offerWayBack()).
void goOn(QMessageBox* box) {
    auto* button = box->addButton(SessionController::tr("C&ontinue"), QMessageBox::AcceptRole);
    box->setDefaultButton(button);
    box->setEscapeButton(button);
}

/// Closes an open question without an answer.
void putAway(QMessageBox* question, const QObject* whoAsks) {
    if (!question || !question->isVisible())
        return;
    question->disconnect(whoAsks);
    question->done(QDialog::Rejected);
}

} // namespace

QMessageBox* SessionController::newQuestion(QPointer<QMessageBox>& question, const char* name,
                                            const QString& what, const QString& more) {
    putAway(question, this);
    question = new QMessageBox(parts_.window);
    question->setObjectName(QLatin1String(name));
    question->setIcon(QMessageBox::Warning);
    question->setTextFormat(Qt::PlainText); // file names may contain markup
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setText(what);
    question->setInformativeText(more);
    return question;
}

/// The window keeps its content until a model is chosen.
void SessionController::askForModel() {
    auto* box = newQuestion(
        question_, "missing-model", tr("The model of this session was not found."),
        tr("Path: %1\nWeights: %2\n\nWhere is it now?")
            .arg(QString::fromStdString(opening_->model.path), hashInWords(opening_->model.weights)));
    offerSearch(box, &SessionController::useModel, [this] { askForModel(); });
    box->addButton(QMessageBox::Cancel);
    connect(box, &QDialog::rejected, this, &SessionController::notShown);
    box->open();
}

/// Everything else of the session is already shown.
void SessionController::askForOther() {
    auto* box = newQuestion(
        otherQuestion_, "missing-other-model",
        tr("The second model of this session, for comparison, was not found."),
        tr("Path: %1\nWeights: %2\n\nWhere is it now?")
            .arg(QString::fromStdString(otherModelOf(*opening_)), hashInWords(opening_->otherWeights)));
    offerSearch(box, &SessionController::useOther, [this] { askForOther(); });
    box->addButton(QMessageBox::Cancel);
    box->open();
}

/// Closes the window after the answer, unless the user cancels or saving fails. Opening another session asks
/// nothing, as that step can be undone.
void SessionController::askToSave() {
    auto* box = newQuestion(changedQuestion_, "changed-session",
                            path_.isEmpty() ? tr("Save the restored work as a session?")
                                            : tr("Save the changes in %1?").arg(QFileInfo(path_).fileName()),
                            tr("Unsaved work is lost when the window closes."));
    box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box->setDefaultButton(QMessageBox::Save);
    // Qt's standard buttons have mnemonics only on some platforms.
    box->button(QMessageBox::Save)->setText(tr("&Save"));
    box->button(QMessageBox::Discard)->setText(tr("&Discard"));
    box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    connect(box, &QDialog::finished, this, [this, box] {
        const auto chosen = box->standardButton(box->clickedButton());
        if (chosen != QMessageBox::Save && chosen != QMessageBox::Discard)
            return;
        if (chosen == QMessageBox::Save)
            save();
        if (chosen == QMessageBox::Save && path_.isEmpty() && !unsaved_)
            return; // the user named no file
        const QPointer<SessionController> self(this);
        isGivenUp_ = chosen == QMessageBox::Discard;
        parts_.window->close();
        if (self)
            isGivenUp_ = false; // something else may have kept the window open
    });
    box->open();
}

void SessionController::offerSearch(QMessageBox* box, void (SessionController::*use)(const QString&),
                                    const std::function<void()>& again) {
    for (const bool folder : {true, false}) {
        auto* find = box->addButton(folder ? tr("Find the &Folder...") : tr("Find the &File..."),
                                    QMessageBox::ActionRole);
        connect(find, &QPushButton::clicked, this, [this, folder, use, again] {
            const QString path = parts_.chooseModel(folder);
            if (path.isEmpty())
                again(); // asks until a model is found or the question is cancelled
            else
                (this->*use)(path);
        });
    }
}

/// Offers to return to the previous view instead of continuing with other weights.
void SessionController::offerWayBack(QMessageBox* box) {
    if (!before_)
        return;
    box->setInformativeText(box->informativeText() + ' ' + tr("Cancel returns to the previous view."));
    box->setEscapeButton(box->addButton(QMessageBox::Cancel));
    connect(box, &QDialog::rejected, this, &SessionController::goBack);
}

/// True if nothing was done since the session was shown, which going back would discard.
bool SessionController::isAsShown() const {
    return parts_.undo->history().place() == shownPlace_ && step() == shownStep_;
}

/// Shows the previous state as if it were a session saved just before.
void SessionController::goBack() {
    putAway(question_, this);
    putAway(otherQuestion_, this);
    goingBack_ = true;
    opening_ = before_->state;
    opening_->model.weights.clear(); // skips the check: it was open with these weights
    opening_->otherWeights.clear();
    openingPath_ = before_->path;
    isOtherThere_ = true;
    show();
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
                Q_EMIT shown(restored);
            else
                askAboutWeights(hashInWords(ModelHash::isHash(found) ? found : std::string()));
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
        if (found != expected)
            askAboutOther(hashInWords(expected),
                          hashInWords(ModelHash::isHash(found) ? found : std::string()));
    });
}

void SessionController::askAboutWeights(const QString& found) {
    auto* box = newQuestion(
        question_, "other-weights", tr("This model's weights differ from the session's."),
        tr("Path: %1\nExpected: %2\nFound: %3\n\nNumbers and pictures may differ from those that were saved.")
            .arg(QString::fromStdString(opening_->model.path), hashInWords(opening_->model.weights), found));
    offerSearch(box, &SessionController::useModel, [this, found] { askAboutWeights(found); });
    goOn(box);
    connect(box, &QDialog::accepted, this, [this] { Q_EMIT shown(openingPath_.isEmpty()); });
    if (isAsShown())
        offerWayBack(box);
    box->open();
}

void SessionController::askAboutOther(const QString& expected, const QString& found) {
    auto* box = newQuestion(
        otherQuestion_, "other-model-weights", tr("The second model's weights differ from the session's."),
        tr("Path: %1\nExpected: %2\nFound: %3\n\nThe comparison may differ from the saved one.")
            .arg(QString::fromStdString(otherModelOf(parts_.state->capture())), expected, found));
    offerSearch(box, &SessionController::useOther,
                [this, expected, found] { askAboutOther(expected, found); });
    goOn(box);
    if (isAsShown() && !openingPath_.isEmpty()) // a restored state exists nowhere else any more
        offerWayBack(box);
    box->open();
}

} // namespace headscope::app
