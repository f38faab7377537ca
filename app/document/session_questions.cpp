#include "app/document/session_questions.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace headscope::app {

namespace {

QString hashInWords(const std::string& hash) {
    return hash.empty() ? SessionQuestions::tr("not known") : QString::fromStdString(hash);
}

} // namespace

SessionQuestions::SessionQuestions(QWidget* window, std::function<QString(bool folder)> chooseModel,
                                   QObject* parent)
    : QObject(parent), window_(window), chooseModel_(std::move(chooseModel)) {}

void SessionQuestions::putAway(QMessageBox* question) {
    if (!question || !question->isVisible())
        return;
    question->disconnect(this);
    question->done(QDialog::Rejected);
}

void SessionQuestions::putAway() {
    putAway(question_);
    putAway(otherQuestion_);
}

QMessageBox* SessionQuestions::newQuestion(QPointer<QMessageBox>& question, const char* name,
                                           const QString& what, const QString& more) {
    putAway(question);
    question = new QMessageBox(window_);
    question->setObjectName(QLatin1String(name));
    question->setIcon(QMessageBox::Warning);
    question->setTextFormat(Qt::PlainText); // file names may contain markup
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setText(what);
    question->setInformativeText(more);
    return question;
}

void SessionQuestions::askFor(Which which, const Model& model, const Use& use,
                              const std::function<void()>& cancelled) {
    const bool isShown = which == Which::Shown;
    auto* box = newQuestion(questionOf(which), isShown ? "missing-model" : "missing-other-model",
                            isShown ? tr("The model of this session was not found.")
                                    : tr("The second model of this session, for comparison, was not found."),
                            tr("Path: %1\nWeights: %2\n\nWhere is it now?")
                                .arg(QString::fromStdString(model.path), hashInWords(model.weights)));
    offerSearch(box, use, [=, this] { askFor(which, model, use, cancelled); });
    box->addButton(QMessageBox::Cancel);
    if (cancelled)
        connect(box, &QDialog::rejected, this, cancelled);
    box->open();
}

void SessionQuestions::askToSave(const QString& path, const std::function<void(bool save)>& answered) {
    auto* box = newQuestion(changedQuestion_, "changed-session",
                            path.isEmpty() ? tr("Save the restored work as a session?")
                                           : tr("Save the changes in %1?").arg(QFileInfo(path).fileName()),
                            tr("Unsaved work is lost when the window closes."));
    box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box->setDefaultButton(QMessageBox::Save);
    // Qt's standard buttons have mnemonics only on some platforms.
    box->button(QMessageBox::Save)->setText(tr("&Save"));
    box->button(QMessageBox::Discard)->setText(tr("&Discard"));
    box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    connect(box, &QDialog::finished, this, [box, answered] {
        const auto chosen = box->standardButton(box->clickedButton());
        if (chosen == QMessageBox::Save || chosen == QMessageBox::Discard)
            answered(chosen == QMessageBox::Save);
    });
    box->open();
}

void SessionQuestions::offerSearch(QMessageBox* box, const Use& use, const std::function<void()>& again) {
    for (const bool folder : {true, false}) {
        auto* find = box->addButton(folder ? tr("Find the &Folder...") : tr("Find the &File..."),
                                    QMessageBox::ActionRole);
        connect(find, &QPushButton::clicked, this, [this, folder, use, again] {
            const QString path = chooseModel_(folder);
            if (path.isEmpty())
                again(); // asks until a model is found or the question is cancelled
            else
                use(path);
        });
    }
}

/// Escape continues unless there is a Cancel button, which returns to the previous view.
void SessionQuestions::offerToGoOn(QMessageBox* box, const Found& found) {
    auto* button = box->addButton(tr("C&ontinue"), QMessageBox::AcceptRole);
    box->setDefaultButton(button);
    box->setEscapeButton(button);
    if (found.goOn)
        connect(box, &QDialog::accepted, this, found.goOn);
    if (!found.goBack)
        return;
    box->setInformativeText(box->informativeText() + ' ' + tr("Cancel returns to the previous view."));
    box->setEscapeButton(box->addButton(QMessageBox::Cancel));
    connect(box, &QDialog::rejected, this, found.goBack);
}

void SessionQuestions::askAboutWeights(Which which, const Model& model, const Found& found) {
    const bool isShown = which == Which::Shown;
    auto* box = newQuestion(questionOf(which), isShown ? "other-weights" : "other-model-weights",
                            isShown ? tr("This model's weights differ from the session's.")
                                    : tr("The second model's weights differ from the session's."),
                            tr("Path: %1\nExpected: %2\nFound: %3\n\n%4")
                                .arg(QString::fromStdString(model.path), hashInWords(model.weights),
                                     hashInWords(found.weights),
                                     isShown ? tr("Numbers and pictures may differ from the saved ones.")
                                             : tr("The comparison may differ from the saved one.")));
    offerSearch(box, found.use, [=, this] { askAboutWeights(which, model, found); });
    offerToGoOn(box, found);
    box->open();
}

} // namespace headscope::app
