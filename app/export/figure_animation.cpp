#include "app/export/figure_animation.h"

#include "app/export/figure_dialog.h"
#include "app/export/figure_preview.h"

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <utility>

namespace headscope::app {

FigureAnimation::FigureAnimation(FigureDialog* dialog, Words words)
    : QObject(dialog), dialog_(dialog), words_(std::move(words)) {}

FigureAnimation::~FigureAnimation() {
    stop();
}

/// May be called from a signal of the process. A process that still runs keeps its folder until it has ended.
void FigureAnimation::stop() {
    if (!process_)
        return;
    process_->disconnect(this);
    process_->disconnect(dialog_);
    if (process_->isRunning())
        connect(process_, &AnimationProcess::ended, process_,
                [process = process_.data(), folder = preview_] { process->deleteLater(); });
    else
        process_->deleteLater();
    process_->stop();
    process_ = nullptr;
}

void FigureAnimation::preview() {
    auto options = dialog_->options();
    options.dpi = std::max(dialog_->preview()->dpi(options.size), widgets::leastDpi(options.size));
    auto folder = std::make_shared<QTemporaryDir>();
    start(options, folder->path(), true, [this] {
        const QDir frames(preview_->path());
        QStringList files;
        for (const QString& name : frames.entryList({QStringLiteral("*.png")}, QDir::Files, QDir::Name))
            files += frames.filePath(name);
        dialog_->preview()->play(files);
    });
    preview_ = std::move(folder);
}

void FigureAnimation::write() {
    const QString path = dialog_->path();
    start(dialog_->options(), path, dialog_->isNumbered(), [this, path] { Q_EMIT saved(path); });
    isWriting_ = process_ != nullptr;
}

void FigureAnimation::start(const widgets::FigureOptions& options, const QString& out, bool isFolder,
                            const std::function<void()>& done) {
    stop();
    isWriting_ = false;
    auto words = words_(options);
    if (!words)
        return refuse(tr("This view has no equivalent command."));
    *words += (isFolder ? QStringLiteral("--out-dir=") : QStringLiteral("--out=")) + out;
    if (!isFolder)
        *words += QStringLiteral("--frame-time=%1").arg(dialog_->frameTime());
    process_ = new AnimationProcess(QCoreApplication::instance());
    connect(process_, &AnimationProcess::drawn, dialog_, &FigureDialog::setDrawn);
    connect(process_, &AnimationProcess::refused, this, [this](const trace::RefusalText& text) {
        refuse(QString::fromStdString(trace::paragraph(text)));
    });
    connect(process_, &AnimationProcess::ended, this, [this, done](CommandProcess::Outcome outcome) {
        if (outcome == CommandProcess::Outcome::Done)
            done();
        else if (outcome == CommandProcess::Outcome::Stopped) // failures were already refused
            refuse(tr("The frame renderer was terminated."));
        if (outcome != CommandProcess::Outcome::Done)
            previewAgain();
    });
    process_->start(words->mid(1)); // without the program's name
    dialog_->setDrawn(0, 0);
}

/// Restarts the preview, which writing the file had interrupted, if the file was not written.
void FigureAnimation::previewAgain() {
    if (isWriting_ && !dialog_->preview()->isPlayable())
        preview();
}

void FigureAnimation::refuse(const QString& why) {
    dialog_->setSaving(false);
    dialog_->showRefusal(why);
}

} // namespace headscope::app
