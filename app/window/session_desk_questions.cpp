// What a session asks about models that are gone or have other weights.
#include "app/window/session_desk.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace headscope::app {

namespace {

/// For a line of a message.
QString hashInWords(const std::string& hash) {
    return hash.empty() ? SessionDesk::tr("not known") : QString::fromStdString(hash);
}

} // namespace

QMessageBox* SessionDesk::newQuestion(QPointer<QMessageBox>& question, const char* name, const QString& what,
                                      const QString& more) {
    if (question)
        question->close();
    question = new QMessageBox(parts_.window);
    question->setObjectName(QLatin1String(name));
    question->setIcon(QMessageBox::Warning);
    question->setTextFormat(Qt::PlainText); // names of files
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setText(what);
    question->setInformativeText(more);
    return question;
}

/// Whatever the window shows meanwhile stays until there is a model.
void SessionDesk::askForModel() {
    auto* box = newQuestion(
        question_, "missing-model", tr("The model of this session is not there."),
        tr("Path: %1\nWeights: %2\n\nWhere is it now?")
            .arg(QString::fromStdString(opening_->model.path), hashInWords(opening_->model.weights)));
    offerSearch(box, &SessionDesk::useModel, &SessionDesk::askForModel);
    connect(box->addButton(QMessageBox::Cancel), &QPushButton::clicked, this, &SessionDesk::notShown);
    box->open();
}

/// All else is shown already.
void SessionDesk::askForOther() {
    auto* box = newQuestion(
        otherQuestion_, "missing-other-model",
        tr("The second model of this session, which is compared, is not there."),
        tr("Path: %1\nWeights: %2\n\nWhere is it now?")
            .arg(QString::fromStdString(otherModelOf(*opening_)), hashInWords(opening_->otherWeights)));
    offerSearch(box, &SessionDesk::useOther, &SessionDesk::askForOther);
    box->addButton(QMessageBox::Cancel);
    box->open();
}

void SessionDesk::offerSearch(QMessageBox* box, void (SessionDesk::*use)(const QString&),
                              void (SessionDesk::*again)()) {
    for (const bool folder : {true, false}) {
        auto* find = box->addButton(folder ? tr("Find the &Folder...") : tr("Find the &File..."),
                                    QMessageBox::ActionRole);
        connect(find, &QPushButton::clicked, this, [this, folder, use, again] {
            const QString path = parts_.chooseModel(folder);
            if (path.isEmpty() && again)
                (this->*again)(); // until it is found, or cancelled here
            else
                (this->*use)(path);
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
    followOther(); // it may have been open before
}

void SessionDesk::followOther() {
    if (!opening_ || opening_->otherWeights.empty() || !isOtherThere_ || !parts_.hasOther() ||
        parts_.state->isApplying())
        return;
    parts_.otherHash->ask(this, [this, expected = opening_->otherWeights](const std::string& found) {
        if (!opening_ || opening_->otherWeights != expected)
            return;
        opening_->otherWeights.clear(); // asked once
        if (found != expected)
            askAboutOther(hashInWords(expected),
                          hashInWords(ModelHash::isHash(found) ? found : std::string()));
    });
}

void SessionDesk::askAboutWeights(const QString& found) {
    auto* box = newQuestion(
        question_, "other-weights", tr("This model has other weights than those of the session."),
        tr("Path: %1\nExpected: %2\nFound: %3\n\nNumbers and pictures may differ from those that were saved.")
            .arg(QString::fromStdString(opening_->model.path), hashInWords(opening_->model.weights), found));
    offerSearch(box, &SessionDesk::useModel, nullptr);
    box->setDefaultButton(box->addButton(tr("&Go On"), QMessageBox::AcceptRole));
    box->open();
}

void SessionDesk::askAboutOther(const QString& expected, const QString& found) {
    auto* box = newQuestion(
        otherQuestion_, "other-model-weights",
        tr("The second model has other weights than that of the session."),
        tr("Path: %1\nExpected: %2\nFound: %3\n\nWhat is compared may differ from what was saved.")
            .arg(QString::fromStdString(otherModelOf(parts_.state->capture())), expected, found));
    offerSearch(box, &SessionDesk::useOther, nullptr);
    box->setDefaultButton(box->addButton(tr("&Go On"), QMessageBox::AcceptRole));
    box->open();
}

} // namespace headscope::app
