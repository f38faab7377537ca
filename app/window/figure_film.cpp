#include "app/window/figure_film.h"

#include "app/window/figure_dialog.h"

#include <QDir>
#include <QTemporaryDir>

#include <utility>

namespace headscope::app {

FigureFilm::FigureFilm(FigureDialog* dialog, Words words)
    : QObject(dialog), dialog_(dialog), words_(std::move(words)) {}

FigureFilm::~FigureFilm() {
    stop();
}

/// It may be telling just now that it has ended.
void FigureFilm::stop() {
    if (!process_)
        return;
    process_->disconnect(this);
    process_->disconnect(dialog_);
    process_->stop();
    process_->deleteLater();
    process_ = nullptr;
}

void FigureFilm::preview() {
    auto options = dialog_->options();
    options.dpi = dialog_->previewDpi();
    auto folder = std::make_unique<QTemporaryDir>();
    start(options, folder->path(), true, [this] {
        const QDir frames(preview_->path());
        QStringList files;
        for (const QString& name : frames.entryList({QStringLiteral("*.png")}, QDir::Files, QDir::Name))
            files += frames.filePath(name);
        dialog_->playPreview(files);
    });
    preview_ = std::move(folder);
}

void FigureFilm::write() {
    const QString path = dialog_->path();
    start(dialog_->options(), path, dialog_->isNumbered(), [this, path] { Q_EMIT saved(path); });
}

void FigureFilm::start(const widgets::FigureOptions& options, const QString& out, bool isFolder,
                       const std::function<void()>& done) {
    stop();
    auto words = words_(options);
    if (!words)
        return;
    *words += (isFolder ? QStringLiteral("--out-dir=") : QStringLiteral("--out=")) + out;
    if (!isFolder)
        *words += QStringLiteral("--frame-time=%1").arg(dialog_->frameTime());
    process_ = new FilmProcess;
    connect(process_, &FilmProcess::drawn, dialog_, &FigureDialog::setDrawn);
    connect(process_, &FilmProcess::refused, this, [this](const trace::RefusalText& text) {
        dialog_->setSaving(false);
        dialog_->showRefusal(QString::fromStdString(trace::paragraph(text)));
    });
    connect(process_, &FilmProcess::ended, this, [done](CommandProcess::Outcome outcome) {
        if (outcome == CommandProcess::Outcome::Done)
            done();
    });
    process_->start(words->mid(1)); // without the program's name
    dialog_->setDrawn(0, 0);
}

} // namespace headscope::app
