// What goes to the clipboard: the picture, and the command that draws it.
#include "app/command_line_text.h"
#include "app/export/figure_desk.h"
#include "app/export/figure_dialog.h"
#include "app/export/file_names.h"
#include "widgets/drawing/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QImage>

namespace headscope::app {

using widgets::FigureSource;
using Slot = RunQueue::Slot;

std::optional<QString> FigureDesk::command(const QWidget* view) const {
    const auto* figure = dynamic_cast<const FigureSource*>(view);
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
    const auto text = commandLineText(namedModel(), request, run->model->decoding);
    return text ? std::optional(QString::fromStdString(*text)) : std::nullopt;
}

/// From whatever folder it is given.
std::optional<QString> FigureDesk::command(const FigureDialog& dialog) const {
    const auto* figure = dynamic_cast<const FigureSource*>(view_.data());
    auto picture = figure ? pictureOptions(*figure, dialog.options(), dialog.hasOwnSize()) : std::nullopt;
    if (picture) {
        picture->animate = dialog.isAnimated();
        if (!dialog.isNumbered()) // which take no time
            picture->frameTime = dialog.frameTime();
    }
    auto words = figure ? commandWords(namedModel(), *figure, picture) : std::nullopt;
    if (!words)
        return std::nullopt;
    const QString path = QFileInfo(dialog.completePath()).absoluteFilePath();
    words->push_back((dialog.isNumbered() ? "--out-dir=" : "--out=") + path.toStdString());
    return QString::fromStdString(shellLine(*words));
}

QString FigureDesk::whyNoCommand(const FigureSource& figure) const {
    const auto& run = parts_.controller->run();
    if (commandWords(namedModel(), figure, pictureOptions(figure, {}, true)))
        return {};
    if (!figure.isOfRun())
        return tr("it is still being trained");
    return run && !run->complete ? tr("it is still being decoded")
                                 : tr("it shows what no option of the command says");
}

void FigureDesk::sayWhyNoCommand(FigureDialog* dialog) const {
    const QString why = whyNoCommand(dynamic_cast<const FigureSource&>(*view_));
    dialog->setWhyNoCommand(why.isEmpty() ? QString()
                                          : tr("No command draws what this view shows now: %1.").arg(why));
}

void FigureDesk::copyCommandOf(FigureDialog* dialog) {
    const auto text = command(*dialog);
    if (!text)
        return sayWhyNoCommand(dialog);
    QApplication::clipboard()->setText(*text);
    dialog->showCopied();
}

void FigureDesk::copyCommand(QWidget* view) {
    if (const auto text = command(view)) {
        QApplication::clipboard()->setText(*text);
        Q_EMIT done(tr("Copied: %1").arg(*text));
        return;
    }
    const auto* figure = dynamic_cast<const FigureSource*>(view);
    const bool isSeen = figure && figure->hasFigure();
    Q_EMIT refused({.what = tr("No command draws what this view shows now").toStdString(),
                    .found = isSeen ? whyNoCommand(*figure).toStdString() : std::string(),
                    .wayOut = tr("save its picture, its numbers or the session instead").toStdString()});
}

/// In the window's colours.
void FigureDesk::copyPicture(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    const auto& theme = widgets::themeOf(view->palette());
    const bool dark = &theme == &widgets::darkTheme();
    figure->prepareFigure(theme, [this, figure, dark] {
        const widgets::FigureOptions options{.size = figure->figureSize(), .dark = dark};
        const QString why = widgets::whyNotThisSize(options);
        const auto draw = why.isEmpty() ? widgets::takenFigure(options, *figure) : widgets::DrawFigure();
        if (!draw) // nothing is there any more, or there is too much of it
            return refuseCopy(why.isEmpty() ? tr("there is no picture to copy yet") : why);
        parts_.queue->compute(Slot::Copied, this, [this, options, draw] {
            QImage image = widgets::drawnImage(options, draw);
            const QString why = image.isNull() ? widgets::whyNoMemory(options) : QString();
            image.setDevicePixelRatio(2);
            return [this, image, why] {
                if (!why.isEmpty())
                    return refuseCopy(why);
                QApplication::clipboard()->setImage(image);
                Q_EMIT done(tr("Copied the picture"));
            };
        });
    });
}

void FigureDesk::refuseCopy(const QString& why) {
    Q_EMIT refused({.what = tr("The picture was not copied").toStdString(), .found = why.toStdString()});
}

} // namespace headscope::app
