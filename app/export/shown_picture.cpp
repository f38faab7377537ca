#include "app/export/shown_picture.h"

#include "app/sessions/choice_text.h"
#include "widgets/view_spec.h"

#include <QCoreApplication>
#include <QStringList>

#include <tuple>
#include <utility>

namespace headscope::app {

namespace {

widgets::PictureOptions lookedAt(const widgets::Selection& selection) {
    widgets::PictureOptions options{.head = selection.head(), .pinned = selection.pinnedHeads()};
    options.step = selection.step();
    const auto kind = selection.head().site.kind;
    const auto query = selection.pinned().query(kind), key = selection.pinned().key(kind);
    if (query && key)
        options.cell.emplace(*query, *key);
    else
        std::tie(options.query, options.key) = std::pair(query, key);
    return options;
}

} // namespace

void followSteps(widgets::PictureOptions& picture, const widgets::Selection& selection) {
    if (!*widgets::viewSpec(picture.view)->ofCell)
        return;
    const auto looked = lookedAt(selection);
    picture.cell = looked.cell;
    picture.query = looked.query;
    picture.key = looked.key;
}

std::optional<widgets::PictureOptions> seenView(const widgets::FigureSource& figure,
                                                const widgets::Selection& selection) {
    auto picture = figure.picture(lookedAt(selection));
    if (picture && !widgets::viewSpec(picture->view)->showsPins)
        picture->pinned.clear();
    return picture;
}

QString fileNameOf(const widgets::FigureSource& figure, const widgets::Selection& selection) {
    const auto shown = seenView(figure, selection);
    if (!shown)
        return figure.figureText().title;
    QStringList parts{QString::fromStdString(shown->view)}, choices;
    for (const auto& [choice, value] : shown->choices) // such as the trained task
        (choice == "page" ? parts : choices) += QString::fromStdString(choiceText(value));
    parts += figure.nameParts(selection.head(), selection.step());
    parts += choices;
    parts.removeAll(QString());
    return parts.join('-');
}

std::optional<widgets::PictureOptions> shownPicture(const widgets::FigureSource& figure,
                                                    const widgets::Selection& selection,
                                                    const widgets::Choices& chosen,
                                                    const widgets::Choices& usual) {
    auto picture = seenView(figure, selection);
    if (!picture)
        return std::nullopt;
    for (const auto& drawn : widgets::viewSpec(picture->view)->drawn) {
        const auto& choice = *widgets::pictureChoice(picture->view, drawn.name);
        if (const auto value = widgets::chosenValue(chosen, choice.view, choice.name);
            value && value != widgets::chosenValue(usual, choice.view, choice.name))
            picture->choices[drawn.name] = *value;
    }
    return figure.exportChoices(*picture, chosen) ? picture : std::nullopt;
}

QString withoutZoomInWords(const widgets::FigureSource& figure) {
    return figure.isZoomed()
               ? QCoreApplication::translate("FigureExporter",
                                             " It draws the whole view, because commands have no zoom.")
               : QString();
}

} // namespace headscope::app
