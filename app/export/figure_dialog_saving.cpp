// Where the picture is saved, and when.
#include "app/export/figure_dialog.h"

#include "app/export/picture_names.h"
#include "app/window/file_dialogs.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTimer>

#include <utility>

namespace headscope::app {

void FigureDialog::browse() {
    const PathQuestion question{
        .window = this,
        .title = isNumbered() ? tr("Save Pictures") : tr("Save Picture"),
        .start = path_->text(),
        .filters =
            isNumbered() ? QString() : tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)")};
    const QPointer<FigureDialog> self(this); // it goes where another model is opened meanwhile
    const QString path = isNumbered() ? askFolder(question) : askFileToSave(question, Replacing::AskedLater);
    if (!self || path.isEmpty())
        return;
    path_->setText(path);
    formatOfName();
    useFormat();
}

/// True where the name had no ending. If it comes to be that of a file that is there, the person is to be
/// told of that first.
bool FigureDialog::completeName() {
    if (completePath() == path())
        return false;
    path_->setText(completePath());
    return true;
}

QString FigureDialog::completePath() const {
    return isNumbered() || path().isEmpty() || !endingOf(path()).isEmpty() ? path() : path() + '.' + ending();
}

/// A name that says another format than the picture has.
QString FigureDialog::whyNotNamed() const {
    const QString found = endingOf(path());
    return isNumbered() || found.isEmpty() || found == ending()
               ? QString()
               : tr("A picture is written as .png, .svg or .pdf. This name ends in .%1: give it one of these "
                    "endings.")
                     .arg(found);
}

/// What `render` would refuse, too.
QString FigureDialog::whyNotCopied() const {
    if (!whyNoCommand_.isEmpty())
        return whyNoCommand_;
    if (const QString notThisSize = widgets::whyNotThisSize(options()); !notThisSize.isEmpty())
        return notThisSize;
    return path().isEmpty() ? tr("Name the file that it is to write.") : whyNotNamed();
}

void FigureDialog::setWhyNoCommand(const QString& why) {
    whyNoCommand_ = why;
    showState();
}

void FigureDialog::showCopied() {
    copied_ = true;
    refusal_.clear();
    showState();
}

/// What is not known yet is waited for.
void FigureDialog::save() {
    if (saving_ || !save_->isEnabled())
        return;
    if (const QString why = whyNotNamed(); !why.isEmpty())
        return showRefusal(why);
    looksFirst_ = completeName() || (isNumbered() && there_ == There::NotKnown);
    setSaving(true);
    rest_->stop();
    if (!looksFirst_)
        goOnSaving();
}

void FigureDialog::goOnSaving() {
    if (isAnimated() || !facts_.weights.isEmpty()) // of a decoding, whoever draws it finds them out
        Q_EMIT saveWanted();
}

void FigureDialog::pathEdited() {
    refusal_.clear();
    copied_ = false;
    there_ = There::NotKnown;
    showState();
    Q_EMIT pathChanged(path());
}

void FigureDialog::setThere(const QString& path, There there, const QStringList& replaced) {
    if (path != this->path())
        return;
    there_ = there;
    replaced_ = replaced;
    showState();
    if (!std::exchange(looksFirst_, false) || !saving_)
        return;
    const bool isRoom = isNumbered() && there == There::Folder && replaced.isEmpty();
    if (there == There::Nothing || isRoom)
        goOnSaving();
    else
        setSaving(false);
}

void FigureDialog::setSaving(bool saving) {
    saving_ = saving;
    if (saving)
        path_->setFocus(); // not on to another button, as whatever is disabled would hand it
    choices_->setEnabled(!saving);
    path_->setReadOnly(saving);
    browse_->setEnabled(!saving);
    showState();
}

} // namespace headscope::app
