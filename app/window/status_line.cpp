#include "app/window/status_line.h"

#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QSizeGrip>
#include <QStyle>
#include <QStyleOption>
#include <QToolTip>

#include <algorithm>

namespace headscope::app {

/// The area to the left of the permanent widgets.
QRect StatusLine::messageArea() const {
    constexpr int margin = 6;
    int right = width() - 2 * margin;
    for (const auto* child : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (child->isVisible() && !child->isWindow() && !qobject_cast<const QSizeGrip*>(child))
            right = std::min(right, child->x() - margin);
    return {margin, 0, std::max(0, right - margin), height()};
}

QString StatusLine::shownMessage() const {
    return fontMetrics().elidedText(currentMessage(), Qt::ElideMiddle, messageArea().width());
}

bool StatusLine::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !isCut())
        return QStatusBar::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), widgets::plainToolTip(currentMessage()),
                       this);
    return true;
}

void StatusLine::paintEvent(QPaintEvent* event) {
    if (!isCut())
        return QStatusBar::paintEvent(event);
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(messageArea(), Qt::AlignLeading | Qt::AlignVCenter | Qt::TextSingleLine, shownMessage());
}

} // namespace headscope::app
