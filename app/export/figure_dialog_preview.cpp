#include "app/choices/picture_options.h"
#include "app/desktop/file_dialogs.h"
#include "app/desktop/picture_names.h"
#include "app/export/figure_dialog.h"
#include "app/export/figure_presets.h"
#include "app/export/shown_picture.h"

#include <QEvent>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::app {

double FigureDialog::previewScale() const {
    const QSizeF whole = options().size;
    return std::min(
        {(preview_->width() - 4) / whole.width(), (preview_->height() - 4) / whole.height(), 1.0});
}

int FigureDialog::previewDpi() const {
    return std::max(1, qFloor(96 * previewScale() * devicePixelRatioF()));
}

/// Requests the exported picture, scaled down by the painter only. For an animation whose frames are not
/// drawn yet, this is the current picture.
void FigureDialog::askForPreview() {
    if (!view_ || preview_->width() < 8 || preview_->height() < 8)
        return;
    if (!widgets::whyNotThisSize(options()).isEmpty())
        return preview_->clear();
    Q_EMIT previewWanted();
}

void FigureDialog::setPreview(const QImage& picture) {
    if (!played_.isEmpty())
        return; // frames are already shown
    QPixmap shown = QPixmap::fromImage(picture);
    shown.setDevicePixelRatio(devicePixelRatioF());
    preview_->setPixmap(shown);
}

/// Widgets below the preview may take room from it, such as the progress bar.
void FigureDialog::fitPreview() {
    if (rest_->isActive())
        return; // a new preview is requested soon
    if (played_.isEmpty())
        askForPreview();
    else
        showFrame();
}

bool FigureDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == preview_ && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &FigureDialog::fitPreview, Qt::QueuedConnection);
    return QDialog::eventFilter(watched, event);
}

void FigureDialog::forgetFrames() {
    pause();
    played_.clear();
    drawn_ = 0;
    play_->setEnabled(false);
    frame_->setEnabled(false);
    frameWords_->clear();
}

void FigureDialog::playPreview(const QStringList& files) {
    if (files.isEmpty() || !isAnimated())
        return;
    played_ = files;
    play_->setEnabled(true);
    frame_->setEnabled(true);
    frame_->setRange(1, files.size());
    showFrame();
    play();
}

void FigureDialog::play() {
    ticker_->start(frameTime_->value());
    play_->setText(tr("&Pause"));
}

void FigureDialog::pause() {
    ticker_->stop();
    play_->setText(tr("&Play"));
}

void FigureDialog::showFrame() {
    const int frame = frame_->value();
    if (frame > played_.size())
        return;
    QPixmap picture(played_.at(frame - 1));
    // The frames were drawn for the size of the preview at that time.
    const QSize room = preview_->size() * devicePixelRatioF();
    if (picture.width() > room.width() || picture.height() > room.height())
        picture = picture.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(devicePixelRatioF());
    preview_->setPixmap(picture);
    frameWords_->setText(tr("Frame %1 of %2").arg(frame).arg(played_.size()));
    if (ticker_->isActive())
        ticker_->setInterval(frame == frame_->maximum() ? lastFrameTime(frameTime_->value())
                                                        : frameTime_->value());
}

void FigureDialog::setDrawn(int drawn, int frames) {
    drawn_ = drawn;
    if (saving_) {
        progress_->setRange(0, frames); // 0 at the beginning
        progress_->setValue(drawn);
        progress_->setFormat(tr("Frame %v of %m"));
    } else {
        frameWords_->setText(drawn > 0 ? tr("Drawing frame %1 of %2").arg(drawn).arg(frames)
                                       : tr("Drawing the frames..."));
    }
}

QString FigureDialog::animationInWords(QSize pixels) const {
    const int frames = frames_.count;
    const QString size = tr("%1 x %2 pixels").arg(pixels.width()).arg(pixels.height());
    if (isNumbered())
        return frames == 1 ? tr("1 picture, %1").arg(size) : tr("%1 pictures, %2").arg(frames).arg(size);
    const double seconds = ((frames - 1) * frameTime_->value() + lastFrameTime(frameTime_->value())) / 1000.0;
    const QString time = QLocale().toString(seconds, 'f', 1);
    return frames == 1 ? tr("1 frame, %1").arg(size)
                       : tr("%1 frames, %2, %3 s; the last one is shown three times as long")
                             .arg(frames)
                             .arg(size, time);
}

QString FigureDialog::stateInWords() const {
    const auto options = this->options();
    const bool isPng = options.format == widgets::FigureFormat::Png;
    const QSize pixels = isPng ? widgets::pixelsOf(options) : options.size;
    QString words = isAnimated() ? animationInWords(pixels)
                    : isPng      ? tr("%1 x %2 pixels").arg(pixels.width()).arg(pixels.height())
                                 : tr("%1 x %2 mm")
                                  .arg(pixels.width() / pixelsAMillimetre, 0, 'f', 1)
                                  .arg(pixels.height() / pixelsAMillimetre, 0, 'f', 1);
    if (!isAnimated())
        words +=
            bytes_ ? QStringLiteral(", ") + QLocale().formattedDataSize(*bytes_) : QStringLiteral(", ...");
    if (const QString smaller = widgets::scaleInWords(options, source()); !smaller.isEmpty())
        words += QStringLiteral(". ") + smaller;
    QString more = thereInWords();
    if (copied_)
        more += (more.isEmpty() ? QString() : QStringLiteral(" ")) + tr("The command is copied.") +
                withoutZoomInWords(source());
    return more.isEmpty() ? words : words + QStringLiteral(". ") + more;
}

QString FigureDialog::thereInWords() const {
    if (there_ == There::File)
        return isNumbered() ? tr("A file has this name: choose another folder.")
                            : tr("This file exists and will be replaced.");
    if (there_ != There::Folder)
        return {};
    if (!isNumbered())
        return tr("A folder has this name: choose another one.");
    if (replaced_.size() < 2)
        return replaced_.isEmpty()
                   ? tr("This folder exists; none of its files is replaced.")
                   : tr("The folder contains %1, which will be replaced.").arg(replaced_.front());
    return tr("The folder contains %1 of these pictures, %2 to %3; they will be replaced.")
        .arg(replaced_.size())
        .arg(replaced_.front(), replaced_.back());
}

/// The layout does not enlarge the window for longer texts by itself.
void FigureDialog::makeRoom() {
    const int needed = layout()->totalHeightForWidth(width());
    if (needed > height())
        resize(width(), std::min(needed, screen()->availableSize().height()));
}

void FigureDialog::showState() {
    if (!view_)
        return reject();
    const QString notThisSize = widgets::whyNotThisSize(options());
    const QString bad = !refusal_.isEmpty() ? refusal_ : notThisSize;
    result_->setText(saving_ ? tr("Saving...") : bad.isEmpty() ? stateInWords() : bad);
    progress_->setVisible(saving_ && isAnimated());
    save_->setEnabled(!saving_ && notThisSize.isEmpty() && !path_->text().isEmpty());
    save_->setToolTip(save_->isEnabled() ? QString() : result_->text());
    const QString notCopied = whyNotCopied();
    copy_->setEnabled(notCopied.isEmpty());
    copy_->setToolTip(notCopied.isEmpty() ? tr("The command line that writes the same file") : notCopied);
    makeRoom();
}

void FigureDialog::browse() {
    const PathQuestion question{
        .window = this,
        .title = isNumbered() ? tr("Export Pictures") : tr("Export Picture"),
        .start = path_->text(),
        .filters =
            isNumbered() ? QString() : tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)")};
    const QPointer<FigureDialog> self(this); // opening another model closes this dialog
    const QString path = isNumbered() ? askFolder(question) : askFileToSave(question, Replacing::AskedLater);
    if (!self || path.isEmpty())
        return;
    path_->setText(path);
    formatOfName();
    useFormat();
}

/// Adds a missing extension; returns true if it did. The user must be told first if the completed name is
/// that of an existing file.
bool FigureDialog::completeName() {
    if (completePath() == path())
        return false;
    path_->setText(completePath());
    return true;
}

QString FigureDialog::completePath() const {
    return isNumbered() || path().isEmpty() || !endingOf(path()).isEmpty() ? path() : path() + '.' + ending();
}

/// Explains that the name has the extension of another format; empty if it does not.
QString FigureDialog::whyNotNamed() const {
    const QString found = endingOf(path());
    return isNumbered() || found.isEmpty() || found == ending()
               ? QString()
               : tr("Pictures are written as .png, .svg or .pdf, not .%1. Use one of these endings.")
                     .arg(found);
}

/// Includes reasons for which `render` would refuse the command.
QString FigureDialog::whyNotCopied() const {
    if (!whyNoCommand_.isEmpty())
        return whyNoCommand_;
    if (const QString notThisSize = widgets::whyNotThisSize(options()); !notThisSize.isEmpty())
        return notThisSize;
    return path().isEmpty() ? tr("Enter the name of the file.") : whyNotNamed();
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

/// Waits for facts and file checks that are still missing.
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
    if (isAnimated() || !facts_.weights.isEmpty()) // for an animation, the frame renderer determines them
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
        path_->setFocus(); // disabling the focused button would move the focus to another button
    choices_->setEnabled(!saving);
    path_->setReadOnly(saving);
    browse_->setEnabled(!saving);
    showState();
}

} // namespace headscope::app
