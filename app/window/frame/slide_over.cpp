#include "app/window/frame/slide_over.h"

#include <QPainter>
#include <QStyle>
#include <QVariantAnimation>

#include <utility>

namespace headscope::app {

namespace {

QPixmap partOf(const QPixmap& page, const QRect& place) {
    const double scale = page.devicePixelRatio();
    return page.copy(QRectF(QPointF(place.topLeft()) * scale, QSizeF(place.size()) * scale).toAlignedRect());
}

} // namespace

SlideOver::SlideOver(QWidget* page) : QWidget(page), motion_(new QVariantAnimation(this)) {
    constexpr int lasts = 150; // milliseconds
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
    hide();
    motion_->setDuration(lasts);
    motion_->setEasingCurve(QEasingCurve::OutCubic);
    connect(motion_, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(motion_, &QVariantAnimation::finished, this, &QWidget::hide);
}

void SlideOver::keep() {
    motion_->stop();
    hide();
    const bool moves = parentWidget()->isVisible() &&
                       style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) != 0;
    before_ = moves ? parentWidget()->grab() : QPixmap();
}

void SlideOver::slideIn(const QRect& place, int closed) {
    if (before_.isNull())
        return;
    moving_ = parentWidget()->grab(place);
    below_ = partOf(std::exchange(before_, {}), place);
    start(place, place.height() - closed, 0);
}

void SlideOver::slideOut(const QRect& place, int closed) {
    if (before_.isNull())
        return;
    moving_ = partOf(std::exchange(before_, {}), place);
    below_ = parentWidget()->grab(place);
    start(place, 0, place.height() - closed);
}

void SlideOver::start(const QRect& place, int from, int to) {
    setGeometry(place);
    raise();
    show();
    motion_->setStartValue(from);
    motion_->setEndValue(to);
    motion_->start();
}

void SlideOver::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.drawPixmap(0, 0, below_);
    painter.drawPixmap(0, motion_->currentValue().toInt(), moving_);
}

} // namespace headscope::app
