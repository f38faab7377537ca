// The decoding as a film.
#include "app/choices/no_film.h"
#include "app/export/figure_desk.h"
#include "app/export/figure_dialog.h"
#include "app/export/figure_film.h"
#include "app/export/picture_facts.h"
#include "app/export/shown_picture.h"

#include <string>

namespace headscope::app {

using widgets::FigureSource;

FigureFilm* FigureDesk::filmOf(FigureDialog* dialog) {
    auto* film = new FigureFilm(dialog, [this, dialog](const widgets::FigureOptions& options) {
        return filmWords(*dialog, options);
    });
    connect(film, &FigureFilm::saved, this, [this, dialog](const QString& path) {
        dialog->accept();
        Q_EMIT done(tr("Saved %1").arg(path));
    });
    return film;
}

/// One a step, where the command knows the view.
FilmFrames FigureDesk::framesOf(const FigureSource& figure) const {
    if (!figure.isOfRun())
        return {.whyNot = tr("It shows no decoding that could be drawn step by step")};
    const auto& run = parts_.controller->run();
    auto picture = run ? pictureOptions(figure, {}, true) : std::nullopt;
    if (picture)
        followSteps(*picture, *parts_.selection);
    if (!picture || !commandWords(namedModel(), figure, picture))
        return {.whyNot = tr("No command draws what this view shows now, and so none its steps")};
    if (const auto why = whyNoFilm(*picture); why != NoFilm::None)
        return {.whyNot =
                    tr("%1: %2", "why there is no film, the way out")
                        .arg(QString::fromUtf8(inWords(why).why), QString::fromUtf8(inWords(why).inWindow))};
    const auto frames = static_cast<int>(app::framesOf(*run));
    return {.count = frames,
            .whyNot = frames > 0 ? QString()
                                 : tr("There is no decoding to be shown step by step: it needs a "
                                      "model that decodes, and masks that hide what comes later")};
}

/// The model by its path: a folder that bears the name of a bundled one may lie where the program was
/// started.
std::optional<QStringList> FigureDesk::filmWords(const FigureDialog& dialog,
                                                 const widgets::FigureOptions& options) const {
    const auto* figure = dynamic_cast<const FigureSource*>(view_.data());
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
