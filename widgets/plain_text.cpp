#include "widgets/plain_text.h"

#include <QAccessible>
#include <QWidget>

namespace headscope::widgets {

QString plainToolTip(const QString& text) {
    return text.isEmpty()
               ? QString()
               : QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

void describeForReaders(QWidget* widget, const QString& words) {
    if (widget->accessibleDescription() == words)
        return;
    widget->setAccessibleDescription(words);
    QAccessibleEvent event(widget, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::widgets
