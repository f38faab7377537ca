#include "widgets/drawing/drawn_controls.h"

#include "widgets/drawing/theme.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

class Painted {
  public:
    Painted(QPainter* painter, const QPen& pen, const QBrush& brush) : painter_(painter) {
        painter_->save();
        painter_->setRenderHint(QPainter::Antialiasing);
        painter_->setPen(pen);
        painter_->setBrush(brush);
    }
    ~Painted() { painter_->restore(); }
    Painted(const Painted&) = delete;
    Painted& operator=(const Painted&) = delete;

  private:
    QPainter* painter_;
};

} // namespace

bool isOn(const QStyleOption& option) {
    return option.state & QStyle::State_On;
}

bool hasKeys(const QStyleOption& option) {
    return (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange);
}

QRectF inner(const QRect& rect, double by) {
    return QRectF(rect).adjusted(by, by, -by, -by);
}

bool isHovered(const QStyleOption& option) {
    return (option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled);
}

QColor over(const QColor& below, const QColor& above, double opacity) {
    const auto mix = [&](float a, float b) { return static_cast<float>(a + (b - a) * opacity); };
    return QColor::fromRgbF(mix(below.redF(), above.redF()), mix(below.greenF(), above.greenF()),
                            mix(below.blueF(), above.blueF()));
}

QPen outlineOf(const QStyleOption& option) {
    const Theme& theme = themeOf(option.palette);
    const bool isEnabled = option.state & QStyle::State_Enabled;
    const bool isActive = (option.state & QStyle::State_HasFocus) || isOn(option);
    return {!isEnabled ? theme.line : isActive ? theme.accent : theme.outline, hasKeys(option) ? 2.0 : 1.0};
}

void drawRounded(QPainter* painter, const QRectF& rect, const QPen& pen, const QBrush& brush, double radius) {
    const Painted painted(painter, pen, brush);
    painter->drawRoundedRect(rect, radius, radius);
}

void drawField(QPainter* painter, const QStyleOption& option) {
    const bool isTyped = option.state & QStyle::State_HasFocus; // however it got the keys
    const QPen pen = isTyped ? QPen(themeOf(option.palette).accent, 2) : outlineOf(option);
    drawRounded(painter, inner(option.rect, isTyped ? 1 : 0.5), pen, option.palette.base());
}

void drawJoined(QPainter* painter, const QStyleOption& option, bool isChosen, bool isFirst, bool isLast) {
    const Theme& theme = themeOf(option.palette);
    const bool isEnabled = option.state & QStyle::State_Enabled;
    constexpr double out = 2 * space::controlRadius;
    const QRectF whole = inner(option.rect).adjusted(isFirst ? 0 : -out, 0, isLast ? 0 : out, 0);
    const QColor ground = isChosen ? theme.accentSoft : isHovered(option) ? theme.panel : theme.background;
    painter->save();
    painter->setClipRect(option.rect);
    drawRounded(painter, whole, QPen(isEnabled ? theme.outline : theme.line, 1), ground);
    if (!isFirst) {
        painter->setPen(QPen(theme.outline, 1));
        painter->drawLine(option.rect.topLeft(), option.rect.bottomLeft());
    }
    if (isChosen || hasKeys(option))
        drawRounded(painter, inner(option.rect, hasKeys(option) ? 1 : 0.5),
                    QPen(theme.accent, hasKeys(option) ? 2 : 1), Qt::NoBrush);
    painter->restore();
}

void drawBox(QPainter* painter, const QStyleOption& option, bool isRound) {
    const Theme& theme = themeOf(option.palette);
    const bool isEnabled = option.state & QStyle::State_Enabled;
    const bool isPartly = option.state & QStyle::State_NoChange;
    const bool isFilled = isOn(option) || isPartly;
    const QColor ink = isEnabled ? theme.accent : theme.faintText;
    const QRectF rect = inner(option.rect, hasKeys(option) ? 1 : 0.5);
    const double radius = isRound ? rect.width() / 2 : 3;
    drawRounded(painter, rect,
                QPen(isFilled || hasKeys(option) ? ink
                     : isEnabled                 ? theme.outline
                                                 : theme.line,
                     hasKeys(option) ? 2 : 1),
                isFilled ? ink : theme.background, radius);
    if (!isFilled)
        return;
    const Painted painted(painter,
                          QPen(theme.onAccent, rect.width() / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin),
                          isRound ? QBrush(theme.onAccent) : QBrush(Qt::NoBrush));
    const auto at = [&](double x, double y) {
        return rect.topLeft() + QPointF(x * rect.width(), y * rect.height());
    };
    if (isRound)
        painter->drawEllipse(rect.center(), rect.width() / 7, rect.width() / 7);
    else if (isPartly)
        painter->drawLine(at(0.27, 0.5), at(0.73, 0.5));
    else
        painter->drawPolyline(QPolygonF({at(0.24, 0.52), at(0.43, 0.7), at(0.77, 0.31)}));
}

void drawChevron(QPainter* painter, const QStyleOption& option, QStyle::PrimitiveElement direction) {
    const Theme& theme = themeOf(option.palette);
    const double side = std::min({10, option.rect.width(), option.rect.height()}) / 2.0;
    painter->save();
    painter->translate(QRectF(option.rect).center());
    painter->rotate(direction == QStyle::PE_IndicatorArrowLeft    ? 90
                    : direction == QStyle::PE_IndicatorArrowUp    ? 180
                    : direction == QStyle::PE_IndicatorArrowRight ? 270
                                                                  : 0);
    {
        const Painted painted(painter,
                              QPen(option.state & QStyle::State_Enabled ? theme.text : theme.mark, 1.3,
                                   Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin),
                              Qt::NoBrush);
        painter->drawPolyline(
            QPolygonF({QPointF(-0.8 * side, -0.4 * side), {0, 0.4 * side}, {0.8 * side, -0.4 * side}}));
    }
    painter->restore();
}

void drawScrollBar(QPainter* painter, const QStyleOption& option, const QRect& slider, bool isHeld) {
    const Theme& theme = themeOf(option.palette);
    painter->fillRect(option.rect, theme.background);
    const QColor ink = isHeld || isHovered(option) ? theme.text : theme.outline;
    const QRectF handle = inner(slider, 3);
    drawRounded(painter, handle, Qt::NoPen, ink, std::min(handle.width(), handle.height()) / 2);
}

void drawSpinBox(QPainter* painter, const QStyleOptionSpinBox& option, const QRect& up, const QRect& down) {
    drawField(painter, option);
    const auto draw = [&](const QRect& rect, QStyle::SubControl part, QAbstractSpinBox::StepEnabledFlag can,
                          QStyle::PrimitiveElement arrow) {
        QStyleOption button = option;
        button.rect = rect;
        button.state.setFlag(QStyle::State_Enabled,
                             (option.state & QStyle::State_Enabled) && (option.stepEnabled & can));
        if (isHovered(button) && option.activeSubControls == part)
            drawRounded(painter, inner(rect, 1), Qt::NoPen,
                        option.state & QStyle::State_Sunken ? themeOf(option.palette).line
                                                            : themeOf(option.palette).panel,
                        3);
        button.rect = rect.adjusted(space::xs, 0, -space::xs, 0);
        drawChevron(painter, button, arrow);
    };
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    draw(up, QStyle::SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, QStyle::PE_IndicatorArrowUp);
    draw(down, QStyle::SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, QStyle::PE_IndicatorArrowDown);
}

void drawSlider(QPainter* painter, const QStyleOptionSlider& option, const QRect& groove,
                const QRect& handle) {
    const Theme& theme = themeOf(option.palette);
    const bool isEnabled = option.state & QStyle::State_Enabled;
    const QRectF line(groove.left(), groove.center().y() - 1, groove.width(), space::xs);
    drawRounded(painter, line, Qt::NoPen, isEnabled ? theme.outline : theme.line, line.height() / 2);
    QRectF done = line;
    if (option.upsideDown)
        done.setLeft(handle.center().x());
    else
        done.setRight(handle.center().x());
    const QColor ink = isEnabled ? theme.accent : theme.line;
    drawRounded(painter, done, Qt::NoPen, ink, line.height() / 2);
    const double side = std::min({handle.width(), handle.height(), space::l});
    QRectF knob(0, 0, side - 1, side - 1);
    knob.moveCenter(QRectF(handle).center());
    const bool isHeld = isHovered(option) && (option.activeSubControls & QStyle::SC_SliderHandle);
    drawRounded(painter, knob, QPen(ink, hasKeys(option) ? 3 : 2),
                isHeld ? theme.accentSoft : theme.background, side / 2);
}

void drawProgress(QPainter* painter, const QStyleOptionProgressBar& option) {
    constexpr int thin = 6; ///< without text in it
    const Theme& theme = themeOf(option.palette);
    QRectF whole = option.rect;
    whole.setHeight(option.textVisible ? whole.height() : std::min<double>(thin, whole.height()));
    whole.moveCenter(QRectF(option.rect).center());
    const double radius = std::min<double>(space::xs, whole.height() / 2);
    drawRounded(painter, whole, Qt::NoPen, theme.line, radius);
    const double range = static_cast<double>(option.maximum) - option.minimum;
    QRectF done = whole;
    done.setWidth(whole.width() * std::clamp((option.progress - option.minimum) / range, 0.0, 1.0));
    if (option.direction == Qt::RightToLeft)
        done.moveRight(whole.right());
    if (done.width() > 0)
        drawRounded(painter, done, Qt::NoPen, theme.accent, radius);
}

} // namespace headscope::widgets
