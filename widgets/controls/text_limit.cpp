#include "widgets/controls/text_limit.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QLocale>
#include <QToolTip>

namespace headscope::widgets {

void limitText(QLineEdit* line, int most) {
    line->setMaxLength(most);
    QObject::connect(line, &QLineEdit::inputRejected, line, [line, most] {
        const QString text =
            QCoreApplication::translate("TextLimit", "Only the first %1 characters are kept.")
                .arg(QLocale().toString(most));
        QToolTip::showText(line->mapToGlobal(QPoint(0, line->height())), text, line);
        line->setAccessibleDescription(text);
    });
    QObject::connect(line, &QLineEdit::textEdited, line, [line, most](const QString& text) {
        if (text.size() < most)
            line->setAccessibleDescription({});
    });
}

} // namespace headscope::widgets
