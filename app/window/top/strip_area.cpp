#include "app/window/top/strip_area.h"

#include "widgets/controls/token_strip.h"

#include <QEvent>

#include <algorithm>

namespace headscope::app {

namespace {

constexpr int wideEnough = 1 << 20; // so that any strip fits on one line

int lineHeight(const widgets::TokenStrip& strip) {
    return strip.heightForWidth(wideEnough);
}

} // namespace

StripArea::StripArea(widgets::TokenStrip* strip, QWidget* parent) : QScrollArea(parent), strip_(strip) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // the strip itself takes the focus
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setWidget(strip);
    viewport()->setAutoFillBackground(false);
    strip->setAutoFillBackground(false);
    strip->installEventFilter(this);
}

void StripArea::setMostLines(int lines) {
    mostLines_ = lines;
    updateGeometry();
}

int StripArea::heightForWidth(int width) const {
    return std::min(strip_->heightForWidth(width), mostLines_ * lineHeight(*strip_));
}

QSize StripArea::sizeHint() const {
    return {strip_->sizeHint().width(), heightForWidth(width())};
}

QSize StripArea::minimumSizeHint() const {
    return {strip_->minimumSizeHint().width(), lineHeight(*strip_)};
}

void StripArea::showChip(int index) {
    const QRect chip = strip_->chipRect(index);
    if (!chip.isEmpty())
        ensureVisible(chip.center().x(), chip.center().y(), chip.width(), chip.height());
}

/// Other tokens may need a different number of lines.
bool StripArea::eventFilter(QObject* watched, QEvent* event) {
    if (watched == strip_ && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace headscope::app
