#pragma once

#include <QProxyStyle>

namespace headscope::widgets {

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
};

} // namespace headscope::widgets
