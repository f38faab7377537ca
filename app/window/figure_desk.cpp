#include "app/window/figure_desk.h"

#include "app/plain/command_line_text.h"
#include "app/plain/resource_folders.h"
#include "app/plain/version.h"
#include "app/window/figure_dialog.h"
#include "app/window/picture_facts.h"
#include "app/window/picture_names.h"
#include "app/window/shown_picture.h"
#include "model/files/atomic_file.h"
#include "model/files/csv.h"
#include "model/files/figure_files.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>

#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;
using widgets::FigureFormat;
using widgets::FigureSource;

trace::RefusalText noFigure() {
    return {.what = FigureDesk::tr("There is no picture to save yet").toStdString(),
            .wayOut = FigureDesk::tr("type a sentence and press Enter first").toStdString()};
}

bool isOfRun(const QWidget* view) {
    const auto* figure = dynamic_cast<const FigureSource*>(view);
    return !figure || figure->isOfRun();
}

/// Cells of a row between tabs, as spreadsheets take what is pasted.
QString tableText(const std::string& csv) {
    QString text = QString::fromStdString(csv);
    bool quoted = false;
    for (QChar& c : text) {
        quoted = quoted != (c == '"');
        if (c == ',' && !quoted)
            c = '\t';
    }
    return text.remove('\r');
}

} // namespace

FigureDesk::FigureDesk(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    connect(parts_.queue, &RunQueue::modelOpened, this,
            [this](const auto& model) { weights_ = weightsFile(*model); });
}

FigureSource* FigureDesk::figureOf(QWidget* view) {
    auto* figure = dynamic_cast<FigureSource*>(view);
    if (figure && figure->hasFigure())
        return figure;
    Q_EMIT refused(noFigure());
    return nullptr;
}

void FigureDesk::addTo(QMenu& menu, QWidget* view) {
    menu.addAction(tr("Copy Picture"), this, [this, view] { copyPicture(view); });
    menu.addAction(tr("Copy as Table"), this, [this, view] { copyTable(view); });
    if (isOfRun(view))
        menu.addAction(tr("Copy as Command"), this, [this, view] { copyCommand(view); });
    menu.addAction(tr("Save Picture..."), this, [this, view] { savePicture(view); });
    menu.addAction(tr("Save Data..."), this, [this, view] { saveData(view); });
}

engine::ModelSource FigureDesk::namedModel() const {
    engine::ModelSource model = parts_.opener->source();
    model.path = nameOfModel(model.path);
    return model;
}

std::optional<QString> FigureDesk::pictureCommand(const FigureSource& figure,
                                                  const widgets::FigureOptions& options, bool ownSize) const {
    const auto& run = parts_.controller->run();
    auto picture = shownPicture(figure, *parts_.selection);
    if (!run || !run->complete || !picture)
        return std::nullopt;
    if (!ownSize) {
        picture->width = options.size.width();
        picture->height = options.size.height();
    }
    picture->dpi = options.dpi;
    picture->dark = options.dark;
    picture->caption = options.provenanceBelow;
    picture->spaceMarks = parts_.settings->spaceMarks();
    picture->font = QApplication::font().family().toStdString();
    picture->fontSize = QApplication::font().pointSizeF();
    auto request = parts_.controller->shownRequest();
    request.ratherThan = parts_.analyses->ratherThan();
    const auto command = pictureCommandText(namedModel(), request, run->model->decoding, *picture);
    return command ? std::optional(QString::fromStdString(*command)) : std::nullopt;
}

std::optional<QString> FigureDesk::command(const QWidget* view) const {
    const auto& run = parts_.controller->run();
    if (!run)
        return std::nullopt;
    if (const auto* figure = dynamic_cast<const FigureSource*>(view); figure && figure->hasFigure())
        if (const auto picture = pictureCommand(*figure, {}, true))
            return *picture + QStringLiteral(" --out=") +
                   QString::fromStdString(shellQuoted(figure->figureText().title.toStdString() + ".png"));
    const auto request = run->complete ? parts_.controller->shownRequest() : run->request;
    const auto text = commandLineText(namedModel(), request, run->model->decoding);
    return text ? std::optional(QString::fromStdString(*text)) : std::nullopt;
}

void FigureDesk::copyCommand(QWidget* view) {
    if (const auto text = command(view)) {
        QApplication::clipboard()->setText(*text);
        Q_EMIT done(tr("Copied: %1").arg(*text));
    }
}

void FigureDesk::copyPicture(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    figure->prepareFigure(widgets::lightTheme(), [figure] {
        const widgets::FigureOptions options{.size = figure->figureSize()};
        QImage image = widgets::drawnImage(
            options, [&](QPainter& painter, QSize) { widgets::drawWholeFigure(painter, options, *figure); });
        image.setDevicePixelRatio(2);
        QApplication::clipboard()->setImage(image);
    });
}

void FigureDesk::copyTable(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    const auto data = figure->figureData();
    QStringList parts;
    const auto add = [&](const auto& part) {
        parts += QString::fromStdString(part.name) + '\n' + tableText(files::csvText(part));
    };
    std::ranges::for_each(data.arrays, add);
    std::ranges::for_each(data.tables, add);
    QApplication::clipboard()->setText(parts.join('\n'));
    Q_EMIT done(tr("The numbers are copied as a table."));
}

void FigureDesk::savePicture(QWidget* view) {
    if (!figureOf(view))
        return;
    view_ = view;
    hash_.clear();
    auto* dialog = new FigureDialog(view, parts_.settings->pictureChoices(), parts_.settings->pictureFolder(),
                                    parts_.window);
    connect(dialog, &FigureDialog::optionsChanged, this, [this, dialog] { measure(dialog); });
    connect(dialog, &FigureDialog::saveWanted, this, [this, dialog] { write(dialog); });
    connect(dialog, &QDialog::finished, this, [this] { parts_.queue->stop(Slot::Figure); });
    dialog->open();
    readWeights(dialog);
}

void FigureDesk::readWeights(FigureDialog* dialog) {
    if (!isOfRun(view_)) {
        hash_ = tr("of many steps of a training");
        dialog->setFacts({.weights = hash_, .software = QStringLiteral("Headscope ") + version()});
        return;
    }
    const auto& run = parts_.controller->run();
    const auto twin = run ? run->request.randomTwin : std::nullopt;
    parts_.queue->compute(Slot::Figure, dialog, [this, dialog, weights = weights_, twin] {
        QString hash;
        try {
            hash = QString::fromStdString(weightsHash(weights, twin));
        } catch (const trace::Refusal& refusal) {
            hash = QString::fromStdString(refusal.text().what);
        }
        return [this, dialog, hash] {
            hash_ = hash;
            dialog->setFacts({.weights = hash, .software = QStringLiteral("Headscope ") + version()});
        };
    });
}

std::function<widgets::FigureBytes()> FigureDesk::bytesOf(const FigureDialog& dialog) const {
    const auto& figure = dynamic_cast<const FigureSource&>(*view_);
    auto options = dialog.options();
    options.facts.command = pictureCommand(figure, options, dialog.hasOwnSize()).value_or(QString());
    if (options.format != FigureFormat::Png)
        return [bytes = widgets::figureBytes(options, figure)] { return bytes; };
    const QImage image = widgets::drawnImage(
        options, [&](QPainter& painter, QSize) { widgets::drawWholeFigure(painter, options, figure); });
    return [image, metadata = widgets::figureMetadata(figure.figureText(), options.facts)] {
        return widgets::pngBytes(image, metadata);
    };
}

/// How large the file will be. What is much larger than a screen is not encoded for that alone.
void FigureDesk::measure(FigureDialog* dialog) {
    constexpr qint64 mostMeasured = 16'000'000;
    const auto options = dialog->options();
    const QSize pixels = widgets::pixelsOf(options);
    const bool large = qint64(pixels.width()) * pixels.height() > mostMeasured;
    if (!view_ || hash_.isEmpty() || !widgets::whyTooLarge(options).isEmpty() ||
        (options.format == FigureFormat::Png && large))
        return;
    auto* figure = dynamic_cast<FigureSource*>(view_.data());
    const auto& theme = options.dark ? widgets::darkTheme() : widgets::lightTheme();
    figure->prepareFigure(theme, [this, dialog = QPointer(dialog)] {
        if (!dialog || !view_)
            return;
        parts_.queue->compute(Slot::Figure, dialog, [encode = bytesOf(*dialog), dialog = dialog.data()] {
            return [dialog, bytes = encode()] { dialog->setBytes(bytes.bytes.size()); };
        });
    });
}

void FigureDesk::write(FigureDialog* dialog) {
    auto* figure = dynamic_cast<FigureSource*>(view_.data());
    if (!figure)
        return;
    const QString path = dialog->path();
    parts_.settings->setPictureFolder(QFileInfo(path).absolutePath());
    parts_.settings->setPictureChoices(dialog->choices());
    dialog->setSaving(true);
    const auto& theme = dialog->options().dark ? widgets::darkTheme() : widgets::lightTheme();
    figure->prepareFigure(theme, [this, path, dialog = QPointer(dialog)] {
        if (!dialog || !view_)
            return;
        parts_.queue->compute(
            Slot::Figure, dialog, [this, encode = bytesOf(*dialog), path, dialog = dialog.data()] {
                auto file = encode();
                try {
                    if (file.error.isEmpty())
                        files::saveAtomically(path.toStdString(),
                                              std::string_view(file.bytes.constData(),
                                                               static_cast<std::size_t>(file.bytes.size())));
                } catch (const trace::Refusal& refusal) {
                    file.error = QString::fromStdString(trace::paragraph(refusal.text()));
                }
                return [this, dialog, path, error = file.error] {
                    dialog->setSaving(false);
                    if (!error.isEmpty())
                        return dialog->showRefusal(error);
                    dialog->accept();
                    Q_EMIT done(tr("Saved: %1").arg(path));
                };
            });
    });
}

void FigureDesk::saveData(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    QStringList filters;
    for (const auto& ending : files::dataEndings())
        filters += QStringLiteral("%1 (*%2)")
                       .arg(QString::fromStdString(ending).mid(1).toUpper(), QString::fromStdString(ending));
    const QString suggested =
        proposedFile(parts_.settings->pictureFolder(), figure->figureText().title, QStringLiteral("csv"));
    QString filter;
    QString path = QFileDialog::getSaveFileName(parts_.window, tr("Save Data"), suggested,
                                                filters.join(QStringLiteral(";;")), &filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += filter.section("(*", 1).section(')', 0, 0);
    parts_.settings->setPictureFolder(QFileInfo(path).absolutePath());
    writeData(view, path);
}

void FigureDesk::writeData(QWidget* view, const QString& path) {
    const auto& figure = dynamic_cast<const FigureSource&>(*view);
    const auto& run = parts_.controller->run();
    const widgets::FigureFacts facts{.software = QStringLiteral("Headscope ") + version(),
                                     .command = pictureCommand(figure, {}, true).value_or(QString())};
    files::DataNotes notes;
    for (const auto& [name, text] : widgets::figureMetadata(figure.figureText(), facts))
        notes.emplace_back(name.toStdString(), text.toStdString());
    const auto twin = run ? run->request.randomTwin : std::nullopt;
    parts_.queue->compute(Slot::Figure, this,
                          [this, path, notes, data = figure.figureData(), weights = weights_, twin,
                           ofRun = figure.isOfRun()]() mutable {
                              QStringList written;
                              trace::RefusalText refusal;
                              try {
                                  if (ofRun)
                                      notes.emplace_back("Weights", weightsHash(weights, twin));
                                  for (const auto& file :
                                       files::saveFigureData(path.toStdString(), data, notes))
                                      written += QString::fromStdString(file.string());
                              } catch (const trace::Refusal& refused) {
                                  refusal = refused.text();
                              }
                              return [this, written, refusal] {
                                  if (!refusal.what.empty())
                                      Q_EMIT refused(refusal);
                                  else
                                      Q_EMIT done(tr("Saved: %1").arg(written.join(QStringLiteral(", "))));
                              };
                          });
}

} // namespace headscope::app
