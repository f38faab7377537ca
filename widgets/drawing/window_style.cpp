#include "widgets/drawing/window_style.h"

#include "widgets/drawing/drawn_controls.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QDialog>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <optional>

namespace headscope::widgets {

namespace {

constexpr const char* lookProperty = "look";
constexpr int aroundText = 12; ///< sum above and below a control's line of text
constexpr int iconGap = 6;
constexpr int menuArrow = 14;  ///< width
constexpr int stepButton = 18; ///< width of the two of a spin box

bool hasMotion = true; ///< setMotion()

std::optional<ButtonLook> lookOf(const QWidget* widget) {
    const auto look = widget ? widget->property(lookProperty) : QVariant();
    return look.isValid() ? std::optional(look.value<ButtonLook>()) : std::nullopt;
}

/// The button that Enter presses in a dialog is the primary one.
std::optional<ButtonLook> lookOf(const QStyleOption& option, const QWidget* widget) {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    const bool isDefault = button && (button->features & QStyleOptionButton::DefaultButton);
    return isDefault && widget && qobject_cast<const QDialog*>(widget->window()) ? ButtonLook::Primary
                                                                                 : lookOf(widget);
}

void drawSegment(QPainter* painter, const QStyleOption& option, const QWidget& button) {
    bool isFirst = true, isLast = true;
    for (const QObject* each : button.parentWidget()->children()) {
        const auto* other = qobject_cast<const QAbstractButton*>(each);
        if (!other || other == &button || other->isHidden() || lookOf(other) != ButtonLook::Segment ||
            other->y() != button.y())
            continue;
        isFirst = isFirst && other->x() > button.x();
        isLast = isLast && other->x() < button.x();
    }
    drawJoined(painter, option, isOn(option), isFirst, isLast);
}

void drawOfRail(QPainter* painter, const QStyleOption& option) {
    const Theme& theme = themeOf(option.palette);
    constexpr int bar = 3;
    if (isOn(option)) {
        painter->fillRect(option.rect, theme.background);
        const QRect right(option.rect.right() + 1 - bar, option.rect.y(), bar, option.rect.height());
        const QRect left(option.rect.topLeft(), QSize(bar, option.rect.height()));
        painter->fillRect(option.direction == Qt::RightToLeft ? right : left, theme.accent);
    } else if (isHovered(option)) {
        painter->fillRect(option.rect, over(theme.rail, theme.background, 0.5));
    }
    if (hasKeys(option))
        drawRounded(painter, inner(option.rect, 2), QPen(theme.accent, 2), Qt::NoBrush);
}

void drawButton(QPainter* painter, const QStyleOption& option, const QWidget* button) {
    const auto look = lookOf(option, button);
    const Theme& theme = themeOf(option.palette);
    const bool isEnabled = option.state & QStyle::State_Enabled;
    if (look == ButtonLook::Segment && button->parentWidget())
        return drawSegment(painter, option, *button);
    if (look == ButtonLook::Rail)
        return drawOfRail(painter, option);
    const bool isDown = option.state & QStyle::State_Sunken;
    if (look == ButtonLook::Primary && isEnabled) {
        const QColor ground = over(theme.accent, theme.dark ? Qt::white : Qt::black,
                                   isDown              ? 0.25
                                   : isHovered(option) ? 0.12
                                                       : 0);
        drawRounded(painter, inner(option.rect), QPen(ground, 1), ground);
        if (hasKeys(option))
            drawRounded(painter, inner(option.rect, 3), QPen(theme.onAccent, 1), Qt::NoBrush, 3);
        return;
    }
    const bool isQuiet = option.state & QStyle::State_AutoRaise;
    const QColor ground = isOn(option)                   ? theme.accentSoft
                          : isDown                       ? theme.line
                          : isHovered(option) || isQuiet ? theme.panel
                                                         : theme.background;
    if (isQuiet && !isOn(option) && !hasKeys(option))
        return isHovered(option) || isDown ? drawRounded(painter, inner(option.rect), Qt::NoPen, ground)
                                           : void();
    const double width = hasKeys(option) ? 1 : 0.5;
    drawRounded(painter, inner(option.rect, width), outlineOf(option), ground);
}

/// Text and icon in the colour of their ground.
template <typename Option>
Option inkedFor(const Option& option, const QWidget* button) {
    Option inked = option;
    const Theme& theme = themeOf(option.palette);
    const auto look = lookOf(option, button);
    if (!(option.state & QStyle::State_Enabled))
        return inked;
    if (look == ButtonLook::Primary) {
        inked.palette.setColor(QPalette::ButtonText, theme.onAccent);
        if (!option.icon.isNull())
            inked.icon =
                QIcon(option.icon.pixmap(option.iconSize, button->devicePixelRatioF(), QIcon::Selected));
    } else if (isOn(option)) {
        inked.palette.setColor(QPalette::ButtonText, theme.accent);
    } else if (look == ButtonLook::Rail) {
        inked.palette.setColor(QPalette::ButtonText, theme.faintText);
    }
    return inked;
}

/// A tool button whose menu is all that it opens: with an arrow beside its text.
bool hasMenuArrow(const QStyleOptionToolButton& button) {
    return (button.features & QStyleOptionToolButton::HasMenu) &&
           !(button.features & QStyleOptionToolButton::MenuButtonPopup) &&
           button.toolButtonStyle != Qt::ToolButtonIconOnly;
}

/// Two buttons above each other beside the field.
QRect partOfSpinBox(const QStyleOptionSpinBox& box, QStyle::SubControl part) {
    const bool hasButtons = box.buttonSymbols != QAbstractSpinBox::NoButtons;
    const QRect all = box.rect.adjusted(1, 1, -1, -1);
    QRect buttons = all;
    buttons.setLeft(all.right() + 1 - (hasButtons ? stepButton : 0));
    QRect rect = all;
    switch (part) {
    case QStyle::SC_SpinBoxUp:
        rect = buttons.adjusted(0, 0, 0, -all.height() / 2);
        break;
    case QStyle::SC_SpinBoxDown:
        rect = buttons.adjusted(0, all.height() - all.height() / 2, 0, 0);
        break;
    case QStyle::SC_SpinBoxEditField:
        rect = all.adjusted(space::xs, 0, -(hasButtons ? stepButton : space::xs), 0);
        break;
    default:
        return box.rect;
    }
    return QStyle::visualRect(box.direction, box.rect, rect);
}

/// Grows with the text, in steps of the grid that icons are drawn on.
int sideOfIcons(const QFontMetrics& text) {
    constexpr int usual = 14; ///< height of a line that an icon of the usual size stands beside
    return space::l + std::max(0, text.height() - usual) / space::xs * space::xs;
}

/// Icon and text together in the middle.
template <typename Option>
void drawBesideIcon(QPainter* painter, const Option& button) {
    const QSize icon = button.iconSize;
    const int text = button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
    const int all = icon.width() + iconGap + text;
    const QRect room = button.rect;
    const int left = room.left() + std::max(0, (room.width() - all) / 2);
    const QRect forIcon(left, room.center().y() - icon.height() / 2 + 1, icon.width(), icon.height());
    const QRect forText(forIcon.right() + 1 + iconGap, room.top(), text, room.height());
    const bool isEnabled = button.state & QStyle::State_Enabled;
    button.icon.paint(painter, QStyle::visualRect(button.direction, room, forIcon), Qt::AlignCenter,
                      isEnabled ? QIcon::Normal : QIcon::Disabled, isOn(button) ? QIcon::On : QIcon::Off);
    painter->setPen(
        button.palette.color(isEnabled ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
    painter->drawText(QStyle::visualRect(button.direction, room, forText),
                      Qt::AlignVCenter | Qt::TextShowMnemonic | Qt::TextDontClip, button.text);
}

} // namespace

void setLook(QAbstractButton* button, ButtonLook look) {
    button->setProperty(lookProperty, QVariant::fromValue(look));
}

void setMotion(bool isOn) {
    hasMotion = isOn;
}

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    const Theme& theme = themeOf(option->palette);
    switch (element) {
    case PE_PanelButtonTool:
    case PE_PanelButtonCommand:
        return drawButton(painter, *option, widget);
    case PE_FrameDefaultButton:
    case PE_FrameTabBarBase:
    case PE_FrameTabWidget:
        return;
    case PE_FrameMenu:
        painter->save();
        painter->setPen(theme.outline);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return painter->restore();
    case PE_PanelScrollAreaCorner:
        painter->fillRect(option->rect, theme.background);
        return;
    case PE_PanelLineEdit: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (!frame || frame->lineWidth <= 0) // of a spin box or a list, which draw their own
            return;
        return drawField(painter, *option);
    }
    case PE_FrameLineEdit:
        return drawRounded(painter, inner(option->rect), outlineOf(*option), Qt::NoBrush);
    case PE_FrameFocusRect:
        if (const auto* tool = qobject_cast<const QToolButton*>(widget);
            qobject_cast<const QPushButton*>(widget) || (tool && !tool->autoRaise()))
            return; // their outlines show it
        if (widget && widget->focusProxy())
            return; // that shows where the keys are
        return drawRounded(painter, inner(option->rect, 1), QPen(theme.accent, 2), Qt::NoBrush, 3);
    case PE_Frame: {
        // The content of a scrolled area has corners of its own.
        const double radius = qobject_cast<const QAbstractScrollArea*>(widget) ? 0 : space::cardRadius;
        return drawRounded(painter, inner(option->rect),
                           QPen(option->state & State_HasFocus ? theme.accent : theme.line, 1), Qt::NoBrush,
                           radius);
    }
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        return drawBox(painter, *option, false);
    case PE_IndicatorRadioButton:
        return drawBox(painter, *option, true);
    case PE_IndicatorArrowDown:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
            button && widget && (button->features & QStyleOptionToolButton::HasMenu)) {
            if (!hasMenuArrow(*button))
                return;
            QStyleOption arrow = *option;
            const QRect whole = widget->rect();
            arrow.rect =
                visualRect(button->direction, whole,
                           QRect(whole.right() - menuArrow - 4, whole.top(), menuArrow, whole.height()));
            return drawChevron(painter, arrow, element);
        }
        return drawChevron(painter, *option, element);
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight:
        return drawChevron(painter, *option, element);
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, option->palette.toolTipBase());
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    const Theme& theme = themeOf(option->palette);
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        button && element == CE_ToolButtonLabel) {
        auto inked = inkedFor(*button, widget);
        if (hasMenuArrow(*button))
            inked.rect =
                visualRect(button->direction, button->rect, button->rect.adjusted(0, 0, -menuArrow, 0));
        const bool isBeside =
            button->toolButtonStyle == Qt::ToolButtonTextBesideIcon && !button->icon.isNull();
        return isBeside ? drawBesideIcon(painter, inked)
                        : QProxyStyle::drawControl(element, &inked, painter, widget);
    }
    if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        button && element == CE_PushButtonLabel) {
        const auto inked = inkedFor(*button, widget);
        const bool isBeside = !button->icon.isNull() && !button->text.isEmpty() &&
                              !(button->features & QStyleOptionButton::HasMenu);
        return isBeside ? drawBesideIcon(painter, inked)
                        : QProxyStyle::drawControl(element, &inked, painter, widget);
    }
    switch (element) {
    case CE_TabBarTabShape: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (!tab)
            break;
        const bool isOnly = tab->position == QStyleOptionTab::OnlyOneTab;
        return drawJoined(painter, *tab, tab->state & State_Selected,
                          isOnly || tab->position == QStyleOptionTab::Beginning,
                          isOnly || tab->position == QStyleOptionTab::End);
    }
    case CE_TabBarTabLabel: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (!tab)
            break;
        QStyleOptionTab inked = *tab;
        inked.state.setFlag(State_HasFocus, false); // its shape shows it
        if (tab->state & State_Selected)
            for (const auto role : {QPalette::WindowText, QPalette::ButtonText})
                inked.palette.setColor(role, theme.accent);
        return QProxyStyle::drawControl(element, &inked, painter, widget);
    }
    case CE_ProgressBarGroove:
    case CE_ProgressBarContents: {
        const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
        if (!bar || bar->maximum <= bar->minimum) // moves, as its end is not known
            break;
        if (element == CE_ProgressBarGroove)
            drawProgress(painter, *bar);
        return;
    }
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, theme.background);
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          theme.line);
        return;
    case CE_Splitter: {
        const bool isUpright = option->state & State_Horizontal;
        const QPoint middle = option->rect.center();
        painter->fillRect(isUpright ? QRect(middle.x(), option->rect.top(), 1, option->rect.height())
                                    : QRect(option->rect.left(), middle.y(), option->rect.width(), 1),
                          isHovered(*option) ? theme.accent : theme.line);
        return;
    }
    case CE_ItemViewItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
        if (!item)
            break;
        QStyleOptionViewItem soft = *item;
        soft.palette.setColor(QPalette::Highlight, theme.accentSoft);
        soft.palette.setColor(QPalette::HighlightedText, theme.text);
        return QProxyStyle::drawControl(element, &soft, painter, widget);
    }
    case CE_MenuItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (!item || item->menuItemType != QStyleOptionMenuItem::Separator || !item->text.isEmpty())
            break;
        const QRect room = option->rect.adjusted(space::s, 0, -space::s, 0);
        painter->fillRect(QRect(room.left(), room.center().y(), room.width(), 1), theme.line);
        return;
    }
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, theme.panel);
        return;
    case CE_MenuBarItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (!item)
            break;
        painter->fillRect(option->rect, theme.panel);
        if (option->state & (State_Selected | State_Sunken))
            drawRounded(painter, inner(option->rect, 2), Qt::NoPen, theme.accentSoft);
        drawItemText(painter, item->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                     item->palette, item->state & State_Enabled, item->text, QPalette::ButtonText);
        return;
    }
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const {
    if (const auto* list = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        list && control == CC_ComboBox) {
        const Theme& theme = themeOf(option->palette);
        const bool isQuiet = !list->editable && isHovered(*option);
        drawRounded(painter, inner(option->rect, hasKeys(*option) ? 1 : 0.5), outlineOf(*option),
                    isQuiet ? theme.panel : theme.background);
        QStyleOption arrow = *option;
        arrow.rect = subControlRect(control, option, SC_ComboBoxArrow, widget);
        return drawChevron(painter, arrow, PE_IndicatorArrowDown);
    }
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        slider && control == CC_ScrollBar)
        return drawScrollBar(painter, *option, subControlRect(control, option, SC_ScrollBarSlider, widget),
                             (option->state & State_Sunken) &&
                                 (option->activeSubControls & SC_ScrollBarSlider));
    if (const auto* number = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        number && control == CC_SpinBox)
        return drawSpinBox(painter, *number, subControlRect(control, option, SC_SpinBoxUp, widget),
                           subControlRect(control, option, SC_SpinBoxDown, widget));
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        slider && control == CC_Slider && slider->orientation == Qt::Horizontal)
        return drawSlider(painter, *slider, subControlRect(control, option, SC_SliderGroove, widget),
                          subControlRect(control, option, SC_SliderHandle, widget));
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return space::m;
    case PM_SplitterWidth:
        return space::s;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return space::l;
    case PM_ToolBarIconSize:
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
        return sideOfIcons(widget ? widget->fontMetrics() : QFontMetrics(QApplication::font()));
    case PM_TabBarTabOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarBaseHeight:
    case PM_TabBarBaseOverlap:
        return 0;
    case PM_MenuBarItemSpacing:
        return space::xs;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returned) const {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons || (hint == SH_Widget_Animation_Duration && !hasMotion))
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

QSize WindowStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                    const QWidget* widget) const {
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    const int control = std::max(space::control, option->fontMetrics.height() + aroundText);
    switch (type) {
    case CT_ToolButton: {
        if (lookOf(widget) == ButtonLook::Rail)
            return {contents.width(), std::max(size.height(), 2 * space::target - 2)};
        const bool isQuiet = option->state & State_AutoRaise;
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        const bool isIcon = button && button->toolButtonStyle == Qt::ToolButtonIconOnly;
        if (!isQuiet && !isIcon && lookOf(widget) != ButtonLook::Segment)
            size.rwidth() += space::s;
        if (button && hasMenuArrow(*button))
            size.rwidth() += menuArrow;
        return size.expandedTo(isQuiet ? QSize(space::target, space::target) : QSize(control, control));
    }
    case CT_PushButton:
        return {size.width() + space::s, std::max(size.height(), control)};
    case CT_SpinBox: // its field has the height of a control already
        return {contents.width() + stepButton + space::l, std::max(contents.height(), control)};
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_TabBarTab:
        return {size.width(), std::max(size.height(), control)};
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_ItemViewItem:
    case CT_MenuItem:
    case CT_MenuBarItem:
        return {size.width(), std::max(size.height(), space::target)};
    default:
        return size;
    }
}

/// Text keeps away from the round ends of its field.
QRect WindowStyle::subElementRect(SubElement element, const QStyleOption* option,
                                  const QWidget* widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    return element == SE_LineEditContents && frame && frame->lineWidth > 0 ? rect.adjusted(4, 0, -4, 0)
                                                                           : rect;
}

QRect WindowStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                  const QWidget* widget) const {
    if (const auto* number = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        number && control == CC_SpinBox)
        return partOfSpinBox(*number, part);
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    // Without buttons at the ends: the handle has all of the room.
    const bool isFlat = bar->orientation == Qt::Horizontal;
    const int room = isFlat ? bar->rect.width() : bar->rect.height();
    const double range = static_cast<double>(bar->maximum) - bar->minimum;
    const int least = std::min(room, 2 * space::target);
    const int handle =
        range > 0 ? std::max<int>(least, std::lround(room * (bar->pageStep / (range + bar->pageStep))))
                  : room;
    const int begin = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, room - handle,
                                              bar->upsideDown);
    const auto piece = [&](int from, int length) {
        const QRect rect = isFlat ? QRect(bar->rect.x() + from, bar->rect.y(), length, bar->rect.height())
                                  : QRect(bar->rect.x(), bar->rect.y() + from, bar->rect.width(), length);
        return visualRect(bar->direction, bar->rect, rect);
    };
    switch (part) {
    case SC_ScrollBarGroove:
        return bar->rect;
    case SC_ScrollBarSlider:
        return piece(begin, handle);
    case SC_ScrollBarSubPage:
        return piece(0, begin);
    case SC_ScrollBarAddPage:
        return piece(begin + handle, room - begin - handle);
    default:
        return {};
    }
}

} // namespace headscope::widgets
