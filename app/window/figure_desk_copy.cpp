// What goes to the clipboard: the picture, and the command that draws it.
#include "app/plain/command_line_text.h"
#include "app/window/figure_desk.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>

namespace headscope::app {

using widgets::FigureSource;
using Slot = RunQueue::Slot;

std::optional<QString> FigureDesk::command(const QWidget* view) const {
    const auto& run = parts_.controller->run();
    if (!run)
        return std::nullopt;
    if (const auto* figure = dynamic_cast<const FigureSource*>(view); figure && figure->hasFigure()) {
        const auto picture = figure->isOfRun() ? pictureCommand(*figure, {}, true) : std::nullopt;
        if (!picture)
            return std::nullopt;
        return *picture + QStringLiteral(" --out=") +
               QString::fromStdString(shellQuoted(figure->figureText().title.toStdString() + ".png"));
    }
    const auto request = run->complete ? parts_.controller->shownRequest() : run->request;
    const auto text = commandLineText(namedModel(), request, run->model->decoding);
    return text ? std::optional(QString::fromStdString(*text)) : std::nullopt;
}

void FigureDesk::copyCommand(QWidget* view) {
    if (const auto text = command(view)) {
        QApplication::clipboard()->setText(*text);
        Q_EMIT done(tr("Copied: %1").arg(*text));
        return;
    }
    const auto& run = parts_.controller->run();
    Q_EMIT refused(
        {.what = tr("No command draws what this view shows now").toStdString(),
         .found = run && !run->complete ? tr("it is still being decoded").toStdString() : std::string(),
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
        const QString why = widgets::whyTooLarge(options);
        const auto draw = why.isEmpty() ? widgets::takenFigure(options, *figure) : widgets::DrawFigure();
        if (!draw)
            return refuseCopy(why);
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
