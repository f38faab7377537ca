#include "widgets/controls/marked_slider.h"

#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>

#include <cmath>
#include <utility>

namespace headscope::widgets {

void MarkedSlider::setMarkedShares(std::vector<double> shares) {
    shares_ = std::move(shares);
    update();
}

QSize MarkedSlider::sizeHint() const {
    return (QSlider::sizeHint() + QSize(0, 8)).expandedTo({0, space::target});
}

void MarkedSlider::paintEvent(QPaintEvent* event) {
    QSlider::paintEvent(event);
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect groove = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderGroove, this);
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    QPainter painter(this);
    for (const double share : shares_) {
        if (share < 0 || share > 1)
            continue;
        const double x = groove.left() + handle.width() / 2.0 + share * (groove.width() - handle.width());
        painter.fillRect(QRectF(std::round(x) - 1, height() - 5, 2, 5), themeOf(palette()).text);
    }
}

} // namespace headscope::widgets
