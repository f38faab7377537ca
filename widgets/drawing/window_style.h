#pragma once

#include <QProxyStyle>

class QAbstractButton;
class QStyleOptionButton;
class QStyleOptionToolButton;

namespace headscope::widgets {

/// How much a button asks for. Buttons without a look are outlined, or quiet if they raise themselves
/// (QToolButton::autoRaise).
enum class ButtonLook {
    Primary, ///< filled: what a person most probably wants on this surface; one on each
    Segment, ///< one of several modes side by side, joined to its neighbours
    Rail,    ///< a workspace in the row at the window's side
};
void setLook(QAbstractButton* button, ButtonLook look);

/// Whether parts of the window may move by themselves; they may until this says otherwise.
void setMotion(bool isOn);

/// The look of the window, over Fusion: flat surfaces, round outlines with a contrast of 3:1 or more (WCAG
/// 2.1, 1.4.11), controls of one height, buttons by rank.
class WindowStyle : public QProxyStyle {
    Q_OBJECT

  public:
    WindowStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                    const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
                  QStyleHintReturn* returned = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget = nullptr) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget = nullptr) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget = nullptr) const override;
};

} // namespace headscope::widgets
