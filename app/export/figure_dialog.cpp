#include "app/export/figure_dialog.h"

#include "app/choices/picture_options.h"
#include "app/desktop/file_dialogs.h"
#include "app/desktop/picture_names.h"
#include "app/export/figure_preview.h"
#include "app/export/shown_picture.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

/// With large fonts on a small screen, options scroll instead of being cut off.
class ScrolledChoices : public QScrollArea {
  public:
    ScrolledChoices(QWidget* box, QWidget* parent) : QScrollArea(parent) {
        setWidget(box);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        viewport()->setAutoFillBackground(false);
        box->setAutoFillBackground(false);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    }
    QSize sizeHint() const override {
        return widget()->sizeHint() + QSize(verticalScrollBar()->sizeHint().width(), 0);
    }
    QSize minimumSizeHint() const override { return {sizeHint().width(), fontMetrics().height() * 4}; }
};

} // namespace

FigureDialog::FigureDialog(QWidget* view, AnimationFrames frames, const QVariantMap& choices,
                           const QString& path, QWidget* parent)
    : QDialog(parent), view_(view), frames_(std::move(frames)), preview_(new FigurePreview(this)),
      form_(new FigureForm(view, frames_, choices, this)), rest_(new QTimer(this)) {
    setWindowTitle(tr("Export Picture"));
    setAttribute(Qt::WA_DeleteOnClose);
    buildLayout();
    path_->setText(path);
    preview_->setFrameTime(form_->frameTime());
    connectParts();
    useFormat();
    follow();
    // Large fonts need more room.
    resize(QSize(860, 560).expandedTo(sizeHint()).boundedTo(screen()->availableSize()));
    path_->setFocus();
    path_->selectAll();
}

void FigureDialog::buildLayout() {
    result_ = new QLabel(this);
    result_->setTextFormat(Qt::PlainText);
    result_->setWordWrap(true);
    progress_ = new QProgressBar(this);
    progress_->setAccessibleName(tr("Frames written"));
    progress_->setObjectName("progress");
    progress_->hide();
    auto* top = new QHBoxLayout;
    top->addWidget(preview_, 1);
    top->addWidget(new ScrolledChoices(form_, this));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    save_ = buttons->button(QDialogButtonBox::Save);
    // This role places the button apart from the others.
    copy_ = buttons->addButton(tr("Copy as Co&mmand"), QDialogButtonBox::ResetRole);
    copy_->setAutoDefault(false);
    copy_->setObjectName("copy");
    connect(copy_, &QPushButton::clicked, this, &FigureDialog::commandWanted);
    connect(buttons, &QDialogButtonBox::accepted, this, &FigureDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top, 1);
    column->addWidget(buildFile());
    column->addWidget(result_);
    column->addWidget(progress_);
    column->addWidget(buttons);
}

QWidget* FigureDialog::buildFile() {
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    pathLabel_ = new QLabel(box);
    path_ = new QLineEdit(box);
    path_->setAccessibleName(tr("File"));
    path_->setObjectName("path");
    pathLabel_->setBuddy(path_);
    browse_ = new QPushButton(tr("&Browse..."), box);
    browse_->setAutoDefault(false);
    connect(browse_, &QPushButton::clicked, this, &FigureDialog::browse);
    row->addWidget(pathLabel_);
    row->addWidget(path_, 1);
    row->addWidget(browse_);
    return box;
}

void FigureDialog::connectParts() {
    rest_->setSingleShot(true);
    rest_->setInterval(150);
    connect(rest_, &QTimer::timeout, this, [this] {
        askForPreview();
        if (!saving_)
            Q_EMIT optionsChanged();
    });
    connect(form_, &FigureForm::changed, this, &FigureDialog::follow);
    connect(form_, &FigureForm::formatChanged, this, &FigureDialog::useFormat);
    connect(form_, &FigureForm::frameTimeChanged, this, [this] {
        preview_->setFrameTime(form_->frameTime());
        copied_ = false;
        showState();
    });
    connect(preview_, &FigurePreview::resized, this, &FigureDialog::fitPreview);
    connect(path_, &QLineEdit::textChanged, this, &FigureDialog::pathEdited);
    connect(path_, &QLineEdit::textEdited, this, &FigureDialog::formatOfName);
}

/// Sets the extension to that of the format; folders have none.
void FigureDialog::useFormat() {
    const QString suffix = QFileInfo(path()).suffix();
    const QString stem = FigureForm::isEnding(suffix) ? path().chopped(suffix.size() + 1) : path();
    path_->setText(isNumbered() ? stem : stem + '.' + form_->ending());
    pathLabel_->setText(isNumbered() ? tr("Fold&er") : tr("F&ile"));
    path_->setAccessibleName(isNumbered() ? tr("Folder") : tr("File"));
    preview_->setAnimated(isAnimated(), frames_.count);
}

void FigureDialog::formatOfName() {
    const QSignalBlocker quiet(path_);
    form_->chooseFormatOf(QFileInfo(path()).suffix());
}

QString FigureDialog::path() const {
    return path_->text();
}

void FigureDialog::setFacts(const widgets::FigureFacts& facts) {
    const bool first = form_->facts().weights.isEmpty();
    form_->setFacts(facts, first && !saving_);
    if (saving_ && !looksFirst_ && !isAnimated())
        Q_EMIT saveWanted();
    else if (first && !saving_)
        follow();
}

void FigureDialog::setBytes(std::optional<qint64> bytes) {
    bytes_ = bytes;
    showState();
}

void FigureDialog::showRefusal(const QString& why) {
    refusal_ = why;
    showState();
}

void FigureDialog::follow() {
    bytes_.reset();
    refusal_.clear();
    copied_ = false;
    preview_->forgetFrames();
    showState();
    rest_->start();
}

void FigureDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    preview_->forgetFrames(); // they have the wrong size now
    rest_->start();
}

/// Requests the exported picture, scaled down by the painter only. For an animation whose frames are not
/// drawn yet, this is the current picture.
void FigureDialog::askForPreview() {
    if (!view_ || !preview_->hasRoom())
        return;
    if (!widgets::whyNotThisSize(options()).isEmpty())
        return preview_->clear();
    Q_EMIT previewWanted();
}

void FigureDialog::fitPreview() {
    if (rest_->isActive())
        return; // a new preview is requested soon
    if (preview_->isPlayable())
        preview_->showFrame();
    else
        askForPreview();
}

void FigureDialog::setDrawn(int drawn, int frames) {
    if (!saving_)
        return preview_->setDrawn(drawn, frames);
    progress_->setRange(0, frames); // 0 at the beginning
    progress_->setValue(drawn);
    progress_->setFormat(tr("Frame %v of %m"));
}

QString FigureDialog::animationInWords(QSize pixels) const {
    const int frames = frames_.count;
    const QString size = tr("%1 x %2 pixels").arg(pixels.width()).arg(pixels.height());
    if (isNumbered())
        return frames == 1 ? tr("1 picture, %1").arg(size) : tr("%1 pictures, %2").arg(frames).arg(size);
    const double seconds = ((frames - 1) * frameTime() + lastFrameTime(frameTime())) / 1000.0;
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
    if (const QString smaller = widgets::scaleInWords(options, form_->source()); !smaller.isEmpty())
        words += QStringLiteral(". ") + smaller;
    QString more = thereInWords();
    if (copied_)
        more += (more.isEmpty() ? QString() : QStringLiteral(" ")) + tr("The command has been copied.") +
                withoutZoomInWords(form_->source());
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
                   ? tr("This folder exists; none of its files will be replaced.")
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
            isNumbered()
                ? QString()
                : tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;HTML page (*.html)")};
    const QPointer<FigureDialog> self(this); // opening another model closes this dialog
    const QString path = isNumbered() ? askFolder(question) : askFileToSave(question, Replacing::AskedLater);
    if (!self || path.isEmpty())
        return;
    path_->setText(path);
    formatOfName();
    useFormat();
    follow();
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
    return isNumbered() || path().isEmpty() || !endingOf(path()).isEmpty() ? path()
                                                                           : path() + '.' + form_->ending();
}

/// Explains that the name has the extension of another format; empty if it does not.
QString FigureDialog::whyNotNamed() const {
    const QString found = endingOf(path());
    return isNumbered() || found.isEmpty() || found == form_->ending()
               ? QString()
               : tr("Pictures are written as .png, .svg, .pdf or .html, not .%1. Use one of these file "
                    "extensions.")
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
    if (isAnimated() ||
        !form_->facts().weights.isEmpty()) // for an animation, the frame renderer determines them
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
    form_->setEnabled(!saving);
    path_->setReadOnly(saving);
    browse_->setEnabled(!saving);
    showState();
}

} // namespace headscope::app
