#include "app/export/file_names.h"

#include "app/export/shown_picture.h"
#include "app/sessions/choice_text.h"

#include <QStringList>

namespace headscope::app {

QString fileNameOf(const widgets::FigureSource& figure, const widgets::Selection& selection) {
    const auto shown = seenView(figure, selection);
    if (!shown)
        return figure.figureText().title;
    QStringList parts{QString::fromStdString(shown->view), QString::fromStdString(shown->page)};
    parts += figure.nameParts(selection.head(), selection.step());
    for (const auto& [choice, value] : shown->choices) // such as the trained task
        parts += QString::fromStdString(choiceText(value));
    parts.removeAll(QString());
    return parts.join('-');
}

} // namespace headscope::app
