#include "widgets/drawing/outlined_style.h"

#include "widgets/drawing/theme.h"

#include <QPainter>
#include <QStyleOption>

namespace headscope::widgets {

namespace {

/// Covers Fusion's outline, except where that outline shows the keyboard focus.
void drawOutline(QPainter* painter, const QStyleOption& option) {
    if (option.state & QStyle::State_HasFocus)
        return;
    constexpr double radius = 2; // the same as Fusion's
    const Theme& theme = themeOf(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(option.state & QStyle::State_Enabled ? theme.outline : theme.mark, 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

/// Fusion darkens a chosen button, which is not seen on a dark window.
void drawChosen(QPainter* painter, const QStyleOption& option) {
    const Theme& theme = themeOf(option.palette);
    QColor soft = theme.accent;
    soft.setAlphaF(0.22F);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme.accent, 1));
    painter->setBrush(soft);
    painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter->restore();
}

} // namespace

OutlinedStyle::OutlinedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                  const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if ((element == PE_PanelButtonTool || element == PE_PanelButtonCommand) && (option->state & State_On) &&
        (option->state & State_Enabled))
        return drawChosen(painter, *option);
    if (element == PE_Frame &&
        (option->state & State_HasFocus)) { // Fusion does not show that of text to read
        painter->save();
        painter->setPen(themeOf(option->palette).focus);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return painter->restore();
    }
    if (element == PE_FrameLineEdit || element == PE_PanelButtonCommand)
        return drawOutline(painter, *option);
    const bool isBox = element == PE_IndicatorCheckBox;
    const bool showsFocus = (option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange);
    if ((!isBox && element != PE_IndicatorRadioButton) || showsFocus) // the focus has its own outline
        return;
    const Theme& theme = themeOf(option->palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(option->state & State_Enabled ? theme.faintText : theme.mark, 1));
    painter->setBrush(Qt::NoBrush);
    if (isBox) {
        painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
        // The geometry of Fusion's radio button.
        const double width = option->rect.width();
        const double radius = (width + (option->rect.width() + 1) % 2) / 2 - 1;
        const QPointF centre = QPointF(option->rect.center()) + QPointF(1, 1);
        painter->drawEllipse(centre, radius, radius);
    }
    painter->restore();
}

/// A spin box draws its frame directly, not through drawPrimitive().
void OutlinedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                       QPainter* painter, const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox)
        drawOutline(painter, *option);
}

QSize OutlinedStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                      const QWidget* widget) const {
    const QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    switch (type) {
    case CT_PushButton:
    case CT_ToolButton:
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_SpinBox:
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_TabBarTab:
    case CT_ItemViewItem:
    case CT_MenuItem:
    case CT_MenuBarItem:
        return size.expandedTo({leastTarget, leastTarget});
    default:
        return size;
    }
}

} // namespace headscope::widgets
