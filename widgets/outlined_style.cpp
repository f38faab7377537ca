#include "widgets/outlined_style.h"

#include "widgets/theme.h"

#include <QPainter>
#include <QStyleOption>

namespace headscope::widgets {

OutlinedStyle::OutlinedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                  const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isBox = element == PE_IndicatorCheckBox;
    const bool showsFocus = (option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange);
    if ((!isBox && element != PE_IndicatorRadioButton) || showsFocus) // which has an outline of its own
        return;
    const Theme& theme = themeOf(option->palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(option->state & State_Enabled ? theme.faintText : theme.mark, 1));
    painter->setBrush(Qt::NoBrush);
    if (isBox) {
        painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
        // Where Fusion draws it.
        const double width = option->rect.width();
        const double radius = (width + (option->rect.width() + 1) % 2) / 2 - 1;
        const QPointF centre = QPointF(option->rect.center()) + QPointF(1, 1);
        painter->drawEllipse(centre, radius, radius);
    }
    painter->restore();
}

} // namespace headscope::widgets
