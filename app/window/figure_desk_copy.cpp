// What goes to the clipboard: the picture, and the command that draws it.
#include "app/plain/command_line_text.h"
#include "app/window/figure_desk.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QPainter>

namespace headscope::app {

using widgets::FigureSource;

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
    figure->prepareFigure(theme, [this, figure, dark = &theme == &widgets::darkTheme()] {
        const widgets::FigureOptions options{.size = figure->figureSize(), .dark = dark};
        const QString tooLarge = widgets::whyTooLarge(options);
        QImage image;
        if (tooLarge.isEmpty())
            image = widgets::drawnImage(options, [&](QPainter& painter, QSize) {
                widgets::drawWholeFigure(painter, options, *figure);
            });
        if (image.isNull()) {
            const QString why = tooLarge.isEmpty() ? widgets::whyNoMemory(options) : tooLarge;
            Q_EMIT refused(
                {.what = tr("The picture was not copied").toStdString(), .found = why.toStdString()});
            return;
        }
        image.setDevicePixelRatio(2);
        QApplication::clipboard()->setImage(image);
    });
}

} // namespace headscope::app
