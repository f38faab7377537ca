#include "app/document/kept_layout.h"

#include <QApplication>
#include <QEvent>
#include <QScrollBar>
#include <QWidget>

#include <chrono>
#include <utility>

namespace headscope::app {

namespace {

using namespace std::chrono_literals;

constexpr auto longestLanding = 1500ms;

bool isTouch(QEvent::Type type) {
    switch (type) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::Wheel:
    case QEvent::ShortcutOverride: // sent for shortcut keys too, which cause no KeyPress
    case QEvent::KeyPress:
    case QEvent::TouchBegin:
    case QEvent::DragEnter:
        return true;
    default:
        return false;
    }
}

} // namespace

KeptLayout::KeptLayout(QWidget* window) : QObject(window), window_(window), inside_(window) {
    soon_.setSingleShot(true);
    landing_.setSingleShot(true);
    landing_.setInterval(longestLanding);
    connect(&soon_, &QTimer::timeout, this, &KeptLayout::apply);
    for (auto* bar : inside_.bars()) {
        connect(bar, &QAbstractSlider::valueChanged, this, &KeptLayout::applySoon);
        connect(bar, &QAbstractSlider::rangeChanged, this, &KeptLayout::applySoon);
    }
}

KeptLayout::Places KeptLayout::places() const {
    Places places = inside_.all();
    if (!wanted_) // else the wanted ones count, however far they are restored
        return places;
    if (WidgetGeometry::hasKeys(*wanted_))
        WidgetGeometry::forgetKeys(places);
    for (const auto& [name, numbers] : *wanted_)
        places[name] = numbers;
    return places;
}

void KeptLayout::keep(Places places) {
    release();
    wanted_ = std::move(places);
    landing_.start();
    qApp->installEventFilter(this);
    apply();
}

void KeptLayout::release() {
    qApp->removeEventFilter(this);
    soon_.stop();
    wanted_.reset();
}

void KeptLayout::expect(Places places) {
    release();
    auto now = places;
    WidgetGeometry::forgetKeys(now);
    inside_.set(now);
    awaited_ = std::move(places);
}

void KeptLayout::keepAwaited() {
    if (auto places = std::exchange(awaited_, std::nullopt))
        keep(std::move(*places));
}

bool KeptLayout::isInWindow(const QObject* watched) const {
    const auto* widget = watched->isWidgetType() ? static_cast<const QWidget*>(watched) : nullptr;
    return widget && (widget == window_ || window_->isAncestorOf(widget));
}

bool KeptLayout::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (isTouch(type)) {
        release();
    } else if (type == QEvent::Resize && watched == window_ && !landing_.isActive() &&
               static_cast<QWidget*>(watched)->isVisible()) {
        release(); // the user resized the window
    } else if ((type == QEvent::Resize || type == QEvent::LayoutRequest || type == QEvent::Show) &&
               isInWindow(watched)) {
        applySoon();
    }
    return QObject::eventFilter(watched, event);
}

void KeptLayout::applySoon() {
    if (wanted_ && !soon_.isActive())
        soon_.start(0);
}

void KeptLayout::apply() {
    if (wanted_)
        inside_.set(*wanted_);
}

} // namespace headscope::app
