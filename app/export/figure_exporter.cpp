#include "app/export/figure_exporter.h"

#include "app/choices/animation.h"
#include "app/command_line_text.h"
#include "app/desktop/font_names.h"
#include "app/desktop/picture_names.h"
#include "app/export/data_exporter.h"
#include "app/export/figure_animation.h"
#include "app/export/figure_dialog.h"
#include "app/export/figure_preview.h"
#include "app/export/picture_facts.h"
#include "app/export/shown_picture.h"
#include "app/models/resource_folders.h"
#include "app/models/weights_hash.h"
#include "app/version.h"
#include "model/files/atomic_file.h"
#include "widgets/drawing/theme.h"
#include "widgets/view.h"
#include "widgets/words/hint_for_no_run.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QImage>
#include <QMenu>

#include <string>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;
using widgets::FigureFormat;
using widgets::FigureSource;

/// Names of existing files that this many numbered frames would replace.
QStringList numberedIn(const QString& folder, int frames) {
    QStringList names;
    for (int frame = 1; frame <= frames; ++frame)
        if (const auto name = QString::fromStdString(numberedPicture(frame, "png"));
            QFileInfo::exists(folder + '/' + name))
            names += name;
    return names;
}

} // namespace

FigureSource* FigureExporter::asFigure(const QWidget* view) {
    return dynamic_cast<FigureSource*>(const_cast<QWidget*>(view));
}

FigureExporter::FigureExporter(const Parts& parts, QObject* parent)
    : QObject(parent), parts_(parts),
      data_(new DataExporter(parts.queue, parts.settings, parts.window, this)) {
    connect(data_, &DataExporter::refused, this, &FigureExporter::refused);
    connect(data_, &DataExporter::done, this, &FigureExporter::done);
}

FigureSource* FigureExporter::figureOf(QWidget* view) {
    auto* figure = asFigure(view);
    if (figure && figure->hasFigure())
        return figure;
    const auto* empty = dynamic_cast<const widgets::View*>(view);
    QString wayOut = empty && parts_.controller->run()
                         ? (empty->whyEmpty() + ' ' + empty->wayOutInWindow()).trimmed()
                         : QString();
    if (wayOut.isEmpty())
        wayOut = widgets::fixForNoRun(*parts_.window);
    Q_EMIT refused(
        {.what = tr("There is no picture to save yet").toStdString(), .wayOut = wayOut.toStdString()});
    return nullptr;
}

void FigureExporter::addTo(QMenu& menu, QWidget* view) {
    menu.addAction(tr("Copy Picture"), this, [this, view] { copyPicture(view); });
    menu.addAction(tr("Copy as Table"), this, [this, view] { copyTable(view); });
    menu.addAction(tr("Copy as Command"), this, [this, view] { copyCommand(view); });
    menu.addAction(tr("Export Picture..."), this, [this, view] { savePicture(view); });
    menu.addAction(tr("Export Data..."), this, [this, view] { saveData(view); });
}

engine::ModelSource FigureExporter::namedModel() const {
    engine::ModelSource model = parts_.opener->source();
    model.path = nameOfModel(model.path);
    return model;
}

std::optional<widgets::PictureOptions> FigureExporter::shown(const FigureSource& figure) const {
    return shownPicture(figure, *parts_.selection, parts_.choices(), usual_);
}

std::optional<widgets::PictureOptions> FigureExporter::pictureOptions(const FigureSource& figure,
                                                                      const widgets::FigureOptions& options,
                                                                      bool ownSize) const {
    const auto& run = parts_.controller->run();
    auto picture = shown(figure);
    const bool isThere = !figure.isOfRun() || (run && run->complete);
    if (!isThere || !picture)
        return std::nullopt;
    if (!ownSize) {
        picture->width = options.size.width();
        picture->height = options.size.height();
    }
    picture->dpi = options.dpi;
    picture->dark = options.dark;
    picture->caption = options.provenanceBelow;
    picture->without = partsWithout(options.parts);
    picture->spaceMarks = widgets::isChosen(parts_.choices(), "window", "space-marks", true);
    picture->font = installedFamily(QApplication::font()).toStdString();
    picture->fontSize = options.fontSize > 0 ? options.fontSize : QApplication::font().pointSizeF();
    return picture;
}

std::shared_ptr<const trace::Run> FigureExporter::runOf(const FigureSource& figure) const {
    const auto own = figure.ownRun();
    return own ? own : parts_.controller->run();
}

std::optional<std::vector<std::string>>
FigureExporter::commandWords(const engine::ModelSource& model, const FigureSource& figure,
                             const std::optional<widgets::PictureOptions>& picture) const {
    if (!picture)
        return std::nullopt;
    if (const auto log = figure.trainingLog(); !log.isEmpty())
        return trainingCommandWords(nameOfModel(log.toStdString()), *picture);
    const auto run = runOf(figure);
    auto request = run == parts_.controller->run() ? parts_.controller->shownRequest() : run->request;
    if (const auto path = figure.ownPath(); path && !run->model->recorded) // a trace keeps its own paths
        request.paths = {run->request.paths[*path]};
    request.ratherThan = parts_.controller->ratherThan();
    return pictureCommandWords(model, request, run->model->decoding, *picture,
                               parts_.controller->newTokens());
}

std::optional<QString> FigureExporter::pictureCommand(const FigureSource& figure,
                                                      const widgets::FigureOptions& options,
                                                      bool ownSize) const {
    const auto words = commandWords(namedModel(), figure, pictureOptions(figure, options, ownSize));
    return words ? std::optional(QString::fromStdString(shellLine(*words))) : std::nullopt;
}

void FigureExporter::savePicture(QWidget* view) {
    const auto* figure = figureOf(view);
    if (!figure)
        return;
    view_ = view;
    hash_.clear();
    waiting_.clear();
    const QString path = proposedFile(parts_.settings->pictureFolder(),
                                      fileNameOf(*figure, *parts_.selection), QStringLiteral("png"));
    auto* dialog =
        new FigureDialog(view, framesOf(*figure), parts_.settings->pictureChoices(), path, parts_.window);
    Q_EMIT asked();
    paths_ = new QObject(dialog);
    previews_ = new QObject(dialog);
    auto* animation = animationOf(dialog);
    sayWhyNoCommand(dialog);
    connect(dialog, &FigureDialog::commandWanted, this, [this, dialog] { copyCommandOf(dialog); });
    connect(dialog, &FigureDialog::optionsChanged, this, [this, dialog, animation] {
        sayWhyNoCommand(dialog); // a pending run may be complete by now
        animation->stop();
        if (!dialog->isAnimated())
            measure(dialog);
        else if (widgets::whyNotThisSize(dialog->options()).isEmpty())
            animation->preview();
    });
    connect(dialog, &FigureDialog::previewWanted, this,
            [this, dialog] { onceReady(dialog, [this](FigureDialog* ready) { preview(ready); }); });
    connect(dialog, &FigureDialog::saveWanted, this, [this, dialog, animation] { write(dialog, animation); });
    connect(dialog, &FigureDialog::pathChanged, this, [this, dialog] { lookAtPath(dialog); });
    connect(parts_.queue, &WorkQueue::modelOpened, dialog, [this, dialog] { leave(dialog); });
    connect(dialog, &QDialog::finished, this, [this, dialog, animation] {
        for (const QObject* drawing : {static_cast<QObject*>(dialog), previews_.data()})
            parts_.queue->stop(JobKind::Awaited, drawing);
        animation->stop();
    });
    dialog->open();
    lookAtPath(dialog);
    readWeights(dialog);
}

/// Outside the GUI thread, as a sleeping or remote disk may take seconds.
void FigureExporter::lookAtPath(FigureDialog* dialog) {
    parts_.queue->compute(
        JobKind::Awaited, paths_, [dialog, path = dialog->path(), frames = dialog->frames()] {
            using There = FigureDialog::There;
            const QFileInfo file(path);
            const auto there = !file.exists() ? There::Nothing : file.isDir() ? There::Folder : There::File;
            const auto replaced = there == There::Folder ? numberedIn(path, frames) : QStringList();
            return [dialog, path, there, replaced] { dialog->setThere(path, there, replaced); };
        });
}

/// The view's content is replaced by that of another model.
void FigureExporter::leave(FigureDialog* dialog) {
    if (dialog->isSaving())
        Q_EMIT refused({.what = tr("The picture was not saved").toStdString(),
                        .found = tr("another model was opened meanwhile").toStdString(),
                        .wayOut = tr("open the picture's model again and repeat the export").toStdString()});
    dialog->reject();
}

void FigureExporter::readWeights(FigureDialog* dialog) {
    askForWeights(dialog, *asFigure(view_), [this, dialog](const std::string& hash) {
        hash_ = QString::fromStdString(hash);
        dialog->setFacts({.weights = hash_, .software = QStringLiteral("Headscope ") + version()});
    });
}

/// Calls `then` with the description of the weights for the metadata: their hash, that of the twin, or a text
/// for training curves.
void FigureExporter::askForWeights(QObject* receiver, const FigureSource& figure, const ModelHash::Then& then,
                                   const QString& ifAbandoned) {
    const auto run = runOf(figure);
    const auto twin = run ? run->request.randomTwin : std::nullopt;
    if (!figure.isOfRun())
        then(weightsOfTraining().toStdString());
    else if (twin)
        then(weightsHash({}, twin));
    else
        parts_.hash->ask(receiver, then, ifAbandoned.toStdString());
}

std::function<widgets::FigureBytes()> FigureExporter::bytesOf(const FigureDialog& dialog) const {
    const auto& figure = *asFigure(view_);
    auto options = dialog.options();
    options.facts.command = pictureCommand(figure, options, dialog.hasOwnSize()).value_or(QString());
    return [draw = widgets::takenFigure(options, figure), options, text = figure.figureText()] {
        return widgets::figureBytes(options, draw, text);
    };
}

/// The view is prepared once for all pending callbacks.
void FigureExporter::onceReady(FigureDialog* dialog, std::function<void(FigureDialog*)> then) {
    auto* figure = asFigure(view_);
    if (!figure)
        return;
    waiting_.push_back(std::move(then));
    const auto& theme = dialog->options().dark ? widgets::darkTheme() : widgets::lightTheme();
    figure->prepareFigure(theme, [this, dialog = QPointer(dialog)] {
        const auto waiting = std::exchange(waiting_, {});
        for (const auto& then : waiting)
            if (dialog && view_)
                then(dialog);
    });
}

void FigureExporter::preview(FigureDialog* dialog) {
    auto options = dialog->options();
    options.format = FigureFormat::Png;
    options.dpi = dialog->preview()->dpi(options.size);
    const auto draw = widgets::takenFigure(options, *asFigure(view_));
    if (draw)
        parts_.queue->compute(JobKind::Awaited, previews_, [draw, options, dialog] {
            return [dialog, picture = widgets::drawnImage(options, draw)] {
                dialog->preview()->setPicture(picture);
            };
        });
}

/// Measures the file size. Pictures much larger than a screen are not encoded just for that.
void FigureExporter::measure(FigureDialog* dialog) {
    constexpr qint64 mostMeasured = 16'000'000;
    const auto options = dialog->options();
    const QSize pixels = widgets::pixelsOf(options);
    const bool large = qint64(pixels.width()) * pixels.height() > mostMeasured;
    if (!view_ || hash_.isEmpty() || !widgets::whyNotThisSize(options).isEmpty() ||
        (options.format == FigureFormat::Png && large))
        return;
    onceReady(dialog, [this](FigureDialog* ready) {
        parts_.queue->compute(JobKind::Awaited, ready, [encode = bytesOf(*ready), ready] {
            return [ready, bytes = encode()] { ready->setBytes(bytes.bytes.size()); };
        });
    });
}

void FigureExporter::write(FigureDialog* dialog, FigureAnimation* animation) {
    if (!view_)
        return;
    const QString path = dialog->path();
    parts_.settings->setPictureFolder(QFileInfo(path).absolutePath());
    parts_.settings->setPictureChoices(dialog->choices());
    dialog->setSaving(true);
    if (dialog->isAnimated())
        return animation->write();
    onceReady(dialog, [this, path](FigureDialog* ready) { writeNow(ready, path); });
}

void FigureExporter::writeNow(FigureDialog* dialog, const QString& path) {
    parts_.queue->compute(JobKind::Awaited, dialog, [this, encode = bytesOf(*dialog), path, dialog] {
        auto file = encode();
        try {
            if (file.error.isEmpty())
                files::saveAtomically(path.toStdString(),
                                      std::string_view(file.bytes.constData(), file.bytes.size()));
        } catch (const trace::Refusal& refusal) {
            file.error = QString::fromStdString(trace::paragraph(refusal.text()));
        }
        return [this, dialog, path, error = file.error] {
            dialog->setSaving(false);
            if (!error.isEmpty())
                return dialog->showRefusal(error);
            dialog->accept();
            Q_EMIT done(tr("Saved %1").arg(path), path);
        };
    });
}

std::optional<QString> FigureExporter::command(const QWidget* view) const {
    const auto* figure = asFigure(view);
    if (figure && (figure->hasFigure() || !figure->isOfRun())) {
        const auto picture =
            figure->hasFigure() ? pictureCommand(*figure, {}, true) : std::optional<QString>();
        if (!picture)
            return std::nullopt;
        const auto file = fileNameOf(*figure, *parts_.selection).toStdString() + ".png";
        return *picture + QStringLiteral(" --out=") + QString::fromStdString(shellQuoted(file));
    }
    const auto& run = parts_.controller->run();
    if (!run)
        return std::nullopt;
    const auto request = run->complete ? parts_.controller->shownRequest() : run->request;
    const bool predicts = !run->classLogProbabilities.empty() || !run->maskCandidates.empty() ||
                          !run->replacedProbabilities.empty() || !run->numbers.empty() ||
                          !run->spanLogProbabilities.empty();
    const auto text = commandLineText(namedModel(), request, run->model->decoding, predicts);
    return text ? std::optional(QString::fromStdString(*text)) : std::nullopt;
}

/// The path is absolute, so that the command works in any folder.
std::optional<QString> FigureExporter::command(const FigureDialog& dialog) const {
    const auto* figure = asFigure(view_);
    auto picture = figure ? pictureOptions(*figure, dialog.options(), dialog.hasOwnSize()) : std::nullopt;
    if (picture) {
        picture->animate = dialog.isAnimated();
        if (!dialog.isNumbered()) // numbered frames have no duration
            picture->frameTime = dialog.frameTime();
    }
    auto words = figure ? commandWords(namedModel(), *figure, picture) : std::nullopt;
    if (!words)
        return std::nullopt;
    const QString path = QFileInfo(dialog.completePath()).absoluteFilePath();
    words->push_back((dialog.isNumbered() ? "--out-dir=" : "--out=") + path.toStdString());
    return QString::fromStdString(shellLine(*words));
}

QString FigureExporter::whyNoCommand(const FigureSource& figure) const {
    const auto& run = parts_.controller->run();
    if (commandWords(namedModel(), figure, pictureOptions(figure, {}, true)))
        return {};
    if (!figure.isOfRun())
        return tr("the training is still running");
    return run && !run->complete ? tr("decoding is still running") : tr("no command option describes it");
}

void FigureExporter::sayWhyNoCommand(FigureDialog* dialog) const {
    const QString why = whyNoCommand(*asFigure(view_));
    dialog->setWhyNoCommand(why.isEmpty() ? QString()
                                          : tr("This view has no equivalent command: %1.").arg(why));
}

void FigureExporter::copyCommandOf(FigureDialog* dialog) {
    const auto text = command(*dialog);
    if (!text)
        return sayWhyNoCommand(dialog);
    QApplication::clipboard()->setText(*text);
    dialog->showCopied();
}

void FigureExporter::copyCommand(QWidget* view) {
    if (const auto text = command(view)) {
        QApplication::clipboard()->setText(*text);
        const auto* figure = asFigure(view);
        Q_EMIT done(tr("Copied: %1").arg(*text) + (figure ? withoutZoomInWords(*figure) : QString()), {});
        return;
    }
    const auto* figure = asFigure(view);
    const bool isSeen = figure && figure->hasFigure();
    Q_EMIT refused(
        {.what = tr("This view has no equivalent command").toStdString(),
         .found = isSeen ? whyNoCommand(*figure).toStdString() : std::string(),
         .wayOut = tr("export the picture or the numbers, or save the session instead").toStdString()});
}

void FigureExporter::copyTable(QWidget* view) {
    if (const auto* figure = figureOf(view))
        data_->copy(*figure);
}

void FigureExporter::saveData(QWidget* view) {
    const auto* figure = figureOf(view);
    if (!figure)
        return;
    const QString ifAbandoned = tr("not known: another model was opened while the weights were read");
    data_->save(*figure, {.name = fileNameOf(*figure, *parts_.selection),
                          .command = pictureCommand(*figure, {}, true).value_or(QString()),
                          .askForWeights = [this, figure, ifAbandoned](const ModelHash::Then& then) {
                              askForWeights(data_, *figure, then, ifAbandoned);
                          }});
}

/// Uses the colours of the window.
void FigureExporter::copyPicture(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    const auto& theme = widgets::themeOf(view->palette());
    const bool dark = &theme == &widgets::darkTheme();
    figure->prepareFigure(theme, [this, figure, dark] {
        const widgets::FigureOptions options{.size = figure->figureSize(), .dark = dark};
        const QString why = widgets::whyNotThisSize(options);
        const auto draw = why.isEmpty() ? widgets::takenFigure(options, *figure) : widgets::DrawFigure();
        if (!draw) // the content is gone or too large
            return refuseCopy(why.isEmpty() ? tr("there is no picture to copy yet") : why);
        parts_.queue->compute(JobKind::Awaited, &copies_, [this, options, draw] {
            QImage image = widgets::drawnImage(options, draw);
            const QString why = image.isNull() ? widgets::whyNoMemory(options) : QString();
            image.setDevicePixelRatio(2);
            return [this, image, why] {
                if (!why.isEmpty())
                    return refuseCopy(why);
                QApplication::clipboard()->setImage(image);
                Q_EMIT done(tr("Copied the picture"), {});
            };
        });
    });
}

void FigureExporter::refuseCopy(const QString& why) {
    Q_EMIT refused({.what = tr("The picture was not copied").toStdString(), .found = why.toStdString()});
}

FigureAnimation* FigureExporter::animationOf(FigureDialog* dialog) {
    auto* animation = new FigureAnimation(dialog, [this, dialog](const widgets::FigureOptions& options) {
        return animationWords(*dialog, options);
    });
    connect(animation, &FigureAnimation::saved, this, [this, dialog](const QString& path) {
        dialog->accept();
        Q_EMIT done(tr("Saved %1").arg(path), path);
    });
    return animation;
}

/// One frame per step, if a command can draw the view.
AnimationFrames FigureExporter::framesOf(const FigureSource& figure) const {
    if (!figure.isOfRun())
        return {.whyNot = tr("This view has no decoding steps to animate")};
    const auto& run = parts_.controller->run();
    auto picture = run ? pictureOptions(figure, {}, true) : std::nullopt;
    if (picture)
        followSteps(*picture, *parts_.selection);
    if (!picture || !commandWords(namedModel(), figure, picture))
        return {.whyNot = tr("This view has no equivalent command, so it cannot be animated")};
    if (const auto why = staticReason(*picture); why != widgets::StaticReason::None)
        return {.whyNot =
                    tr("%1: %2", "why there is no film, what to do")
                        .arg(QString::fromUtf8(inWords(why).why), QString::fromUtf8(inWords(why).inWindow))};
    const int frames = app::framesOf(*run);
    return {
        .count = frames,
        .whyNot =
            frames > 0
                ? QString()
                : tr("There are no decoding steps to animate: use a model that decodes with a causal mask")};
}

/// Names the model by its path: the working directory may contain a folder with the name of a bundled model.
std::optional<QStringList> FigureExporter::animationWords(const FigureDialog& dialog,
                                                          const widgets::FigureOptions& options) const {
    const auto* figure = asFigure(view_);
    auto picture = figure ? pictureOptions(*figure, options, dialog.hasOwnSize()) : std::nullopt;
    if (picture) {
        picture->animate = true;
        followSteps(*picture, *parts_.selection);
    }
    const auto words = figure ? commandWords(parts_.opener->source(), *figure, picture) : std::nullopt;
    if (!words)
        return std::nullopt;
    QStringList list;
    for (const auto& word : *words)
        list += QString::fromStdString(word);
    return list;
}

} // namespace headscope::app
