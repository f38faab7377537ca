#include "app/document/kept_layout.h"

#include "app/desktop/panel_places.h"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QScrollBar>

#include <chrono>
#include <utility>

namespace headscope::app {

namespace {

using namespace std::chrono_literals;

constexpr auto longestLanding = 1500ms;
constexpr int mostTries = 3; ///< to restore panels that something else moves away every time

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

KeptLayout::KeptLayout(QMainWindow* window, const PanelPlaces* panels, int version)
    : QObject(window), window_(window), panels_(panels), version_(version), inside_(window) {
    soon_.setSingleShot(true);
    landing_.setSingleShot(true);
    landing_.setInterval(longestLanding);
    connect(&soon_, &QTimer::timeout, this, &KeptLayout::apply);
    for (auto* bar : inside_.bars()) {
        connect(bar, &QAbstractSlider::valueChanged, this, &KeptLayout::expect);
        connect(bar, &QAbstractSlider::rangeChanged, this, &KeptLayout::expect);
    }
}

KeptLayout::Look KeptLayout::look() const {
    Look look{.panels = window_->saveState(version_), .inside = inside_.all(), .standing = panels_->words()};
    if (!wanted_) // else the wanted layout counts, however far it is restored
        return look;
    if (!wanted_->panels.isEmpty() && look.standing == standing_)
        look.panels = wanted_->panels;
    if (WidgetGeometry::hasKeys(wanted_->inside))
        WidgetGeometry::forgetKeys(look.inside);
    for (const auto& [name, numbers] : wanted_->inside)
        look.inside[name] = numbers;
    return look;
}

void KeptLayout::keep(Look look) {
    release();
    wanted_ = std::move(look);
    standing_ = panels_->words();
    if (!wanted_->standing.empty() && wanted_->standing != standing_)
        wanted_->panels.clear(); // sizes for another arrangement of panels
    landing_.start();
    qApp->installEventFilter(this);
    apply();
}

void KeptLayout::release() {
    if (!awaited_)
        qApp->removeEventFilter(this);
    soon_.stop();
    wanted_.reset();
    reached_.clear();
    moved_.clear();
}

void KeptLayout::expectRestored(Look look) {
    release();
    look.standing = panels_->words();
    touched_ = look.standing;
    awaited_ = std::move(look);
    qApp->installEventFilter(this);
}

void KeptLayout::keepAwaited() {
    if (auto look = std::exchange(awaited_, std::nullopt))
        keep(std::move(*look));
}

void KeptLayout::forgetAwaited() {
    awaited_.reset();
    if (!wanted_)
        qApp->removeEventFilter(this);
}

void KeptLayout::userMovedPanels() {
    if (awaited_)
        awaited_->panels.clear();
}

/// The program moves panels too, but not while it handles user input.
void KeptLayout::watchHand(QEvent::Type type) {
    if (isTouch(type))
        touched_ = panels_->words();
    else if (type != QEvent::MouseButtonRelease)
        return;
    QTimer::singleShot(0, this, [this] {
        if (panels_->words() != touched_)
            userMovedPanels();
    });
}

bool KeptLayout::isInWindow(const QObject* watched) const {
    const auto* widget = watched->isWidgetType() ? static_cast<const QWidget*>(watched) : nullptr;
    return widget && (widget == window_ || window_->isAncestorOf(widget));
}

bool KeptLayout::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (awaited_)
        watchHand(type);
    if (isTouch(type)) {
        release();
    } else if (type == QEvent::Resize && watched == window_ && !landing_.isActive() &&
               static_cast<QWidget*>(watched)->isVisible()) {
        release(); // the user resized the window
    } else if ((type == QEvent::Resize || type == QEvent::LayoutRequest || type == QEvent::Show) &&
               isInWindow(watched)) {
        expect();
    }
    return QObject::eventFilter(watched, event);
}

void KeptLayout::expect() {
    if (wanted_ && !soon_.isActive())
        soon_.start(0);
}

void KeptLayout::apply() {
    if (!wanted_)
        return;
    applyPanels();
    inside_.set(wanted_->inside);
}

void KeptLayout::applyPanels() {
    if (wanted_->panels.isEmpty())
        return;
    if (panels_->words() != standing_) {
        wanted_->panels.clear();
        return;
    }
    const auto now = window_->saveState(version_);
    if (now == wanted_->panels || now == reached_ || ++moved_[now] > mostTries)
        return;
    window_->restoreState(wanted_->panels, version_);
    reached_ = window_->saveState(version_);
    standing_ = panels_->words();
}

} // namespace headscope::app
