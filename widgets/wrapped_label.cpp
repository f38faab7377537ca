#include "widgets/wrapped_label.h"

#include "widgets/plain_text.h"
#include "widgets/wrapped_words.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace headscope::widgets {

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
}

bool WrappedLabel::isCut() const {
    return heightForWidth(width()) > height();
}

bool WrappedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !isCut())
        return QLabel::event(event);
    QStringList words{text()};
    if (!toolTip().isEmpty())
        words += toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), plainToolTip(words.join('\n')), this);
    return true;
}

void WrappedLabel::paintEvent(QPaintEvent* event) {
    if (!isCut())
        return QLabel::paintEvent(event);
    QPainter painter(this);
    drawFrame(&painter);
    painter.setPen(palette().color(foregroundRole()));
    drawWrapped(painter, contentsRect(), text());
}

QLabel* wrappedLabel(QWidget* parent) {
    return new WrappedLabel(parent);
}

} // namespace headscope::widgets
