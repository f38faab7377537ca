#pragma once

#include <QProxyStyle>

namespace headscope::widgets {

/// Sides of what is pressed, typed into or chosen, in pixels: at least these (WCAG 2.2, 2.5.8).
inline constexpr int leastTarget = 24;

/// Fusion with outlines that are visible on a dark window. Fusion outlines fields, buttons, check boxes and
/// radio buttons darker than the window whatever the palette; these outlines have a contrast of 3:1 or more
/// (WCAG 2.1, 1.4.11).
class OutlinedStyle : public QProxyStyle {
    Q_OBJECT

  public:
    OutlinedStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override;
};

} // namespace headscope::widgets
