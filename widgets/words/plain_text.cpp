#include "widgets/words/plain_text.h"

#include <QAccessible>
#include <QWidget>

namespace headscope::widgets {

namespace {

constexpr QChar breakHere(0x200B); // zero width space

} // namespace

QString plainToolTip(const QString& text) {
    return text.isEmpty()
               ? QString()
               : QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

void setPlainToolTip(QWidget* widget, const QString& text) {
    widget->setToolTip(plainToolTip(text));
    widget->setAccessibleDescription(text); // Qt would tell the tooltip with its tags
}

QString breakable(const QString& text) {
    constexpr int longest = 24; // characters; longer words are rare in languages with spaces between words
    QString broken;
    int letters = 0;
    for (const QChar c : text) {
        letters = c.isSpace() || c == breakHere ? 0 : letters + 1;
        if (letters > longest && !c.isLowSurrogate() && !c.isMark()) {
            broken += breakHere;
            letters = 1;
        }
        broken += c;
    }
    return broken;
}

QString withoutBreaks(QString text) {
    return text.remove(breakHere);
}

void describeForReaders(QWidget* widget, const QString& words) {
    if (widget->accessibleDescription() == words)
        return;
    widget->setAccessibleDescription(words);
    QAccessibleEvent event(widget, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::widgets
