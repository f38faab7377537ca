#include "widgets/controls/wrapped_label.h"

#include "widgets/drawing/wrapped_words.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace headscope::widgets {

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
}

/// Does not use heightForWidth(): for selectable text it triggers a layout and repaint, and painting calls
/// this.
bool WrappedLabel::isCut() const {
    const QRect room = contentsRect().marginsRemoved({margin(), margin(), margin(), margin()});
    constexpr int any = 1'000'000;
    return fontMetrics().boundingRect(QRect(0, 0, room.width(), any), Qt::TextWordWrap, text()).height() >
           room.height();
}

void WrappedLabel::setLines(int lines) {
    lines_ = lines;
    fitLines();
}

void WrappedLabel::fitLines() {
    if (lines_ > 0)
        setFixedHeight(lines_ * fontMetrics().height());
}

void WrappedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitLines();
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

QLabel* captionLabel(QWidget* parent) {
    auto* label = new WrappedLabel(parent);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setLines(captionLines);
    return label;
}

} // namespace headscope::widgets
