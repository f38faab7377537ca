#include "app/export/file_names.h"

#include "app/export/shown_picture.h"
#include "app/sessions/choice_text.h"

#include <QStringList>

namespace headscope::app {

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

} // namespace headscope::app
