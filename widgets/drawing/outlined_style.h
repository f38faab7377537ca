#pragma once

#include <QProxyStyle>

namespace headscope::widgets {

/// Fusion, whose fields, buttons, check boxes and radio buttons can be seen on a dark window, too: it
/// outlines them darker than the window, whatever the palette says. These have 3:1 or more
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
