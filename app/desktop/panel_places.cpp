#include "app/desktop/panel_places.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMouseEvent>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

const QString closed = QStringLiteral("closed");
const QString floating = QStringLiteral("floating");
const QString with = QStringLiteral("with");

constexpr std::array dockSides{
    std::pair(Qt::LeftDockWidgetArea, "left"), std::pair(Qt::RightDockWidgetArea, "right"),
    std::pair(Qt::TopDockWidgetArea, "top"), std::pair(Qt::BottomDockWidgetArea, "bottom")};

/// Sorted by name, because floating changes the order of children.
QList<QDockWidget*> docksOf(const QMainWindow& window) {
    auto docks = window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
    std::ranges::sort(docks, {}, [](const QDockWidget* dock) { return dock->objectName(); });
    return docks;
}

/// Returns the first open panel in name order that `dock` shares a tab bar with; null if there is none, or if
/// that is `dock` itself.
QDockWidget* tabbedWith(const QMainWindow& window, QDockWidget* dock) {
    const auto others = window.tabifiedDockWidgets(dock);
    for (auto* other : docksOf(window)) {
        if (other == dock)
            return nullptr;
        if (others.contains(other) && !other->isHidden() && !other->isFloating())
            return other;
    }
    return nullptr;
}

QString wordsOf(const QMainWindow& window, QDockWidget* dock) {
    const auto* side =
        std::ranges::find(dockSides, window.dockWidgetArea(dock), &decltype(dockSides)::value_type::first);
    QStringList words{dock->objectName(), side == dockSides.end() ? dockSides[0].second : side->second};
    if (dock->isHidden())
        return (words << closed).join(' ');
    if (dock->isFloating())
        return (words << floating).join(' ');
    if (const auto* other = tabbedWith(window, dock))
        words << with << other->objectName();
    return words.join(' ');
}

void place(QMainWindow& window, QDockWidget* dock, const QStringList& words) {
    const auto* side = std::ranges::find(dockSides, words[1], &decltype(dockSides)::value_type::second);
    if (side != dockSides.end() && window.dockWidgetArea(dock) != side->first)
        window.addDockWidget(side->first, dock);
    const auto tab = words.indexOf(with);
    auto* other =
        tab > 0 ? window.findChild<QDockWidget*>(words.value(tab + 1), Qt::FindDirectChildrenOnly) : nullptr;
    if (other && other != dock && tabbedWith(window, dock) != other)
        window.tabifyDockWidget(other, dock);
    dock->setFloating(words.contains(floating));
    dock->setVisible(!words.contains(closed));
}

} // namespace

template <class Name>
void PanelPlaces::Kept<Name>::keep(const Name& name, QByteArray panels) {
    all_[name] = {.state = std::move(panels), .used = ++uses_};
    constexpr std::size_t most = 1000; // as there are states to undo to
    if (all_.size() > most)
        all_.erase(std::ranges::min_element(all_, {}, [](const auto& each) { return each.second.used; }));
}

template <class Name>
const QByteArray* PanelPlaces::Kept<Name>::find(const Name& name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : &found->second.state;
}

PanelPlaces::PanelPlaces(QMainWindow* window) : window_(window) {
    window_->installEventFilter(this);
    for (auto* dock : docksOf(*window_))
        dock->installEventFilter(this);
}

/// Separators between panels belong to the window and titles to the panels, with no child widget there.
bool PanelPlaces::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* widget = static_cast<QWidget*>(watched);
        const auto* press = static_cast<QMouseEvent*>(event);
        if (press->button() == Qt::LeftButton && !widget->childAt(press->position().toPoint())) {
            arrangement(); // records the drag before
            dragged_ = watched == window_ ? "resize" : "move";
            arranged_.keep(arrangement_, window_->saveState());
        }
    }
    return QObject::eventFilter(watched, event);
}

std::string PanelPlaces::arrangement() const {
    if (dragged_.empty() || QApplication::mouseButtons() != Qt::NoButton)
        return arrangement_;
    const auto word = std::exchange(dragged_, {});
    const auto* before = arranged_.find(arrangement_);
    if (auto now = window_->saveState(); !before || now != *before) {
        arrangement_ = word + ' ' + std::to_string(++drags_);
        arranged_.keep(arrangement_, std::move(now));
    }
    return arrangement_;
}

void PanelPlaces::setArrangement(const std::string& word) const {
    const auto* found = arranged_.find(word);
    if (!found)
        return;
    arrangement_ = word;
    window_->restoreState(QByteArray(*found)); // a copy, as restoring may change the map
}

std::vector<std::string> PanelPlaces::standing() const {
    std::vector<std::string> words;
    for (auto* dock : docksOf(*window_))
        words.push_back(wordsOf(*window_, dock).toStdString());
    return words;
}

std::vector<std::string> PanelPlaces::words() const {
    auto words = standing();
    seen_.keep(words, window_->saveState());
    return words;
}

void PanelPlaces::set(const std::vector<std::string>& words) const {
    if (const auto* seen = seen_.find(words)) {
        window_->restoreState(QByteArray(*seen)); // a copy, as restoring may change the map
        return;
    }
    for (auto* dock : docksOf(*window_))
        for (const auto& each : words) {
            const auto parts = QString::fromStdString(each).split(' ');
            if (parts.size() > 1 && parts[0] == dock->objectName())
                place(*window_, dock, parts);
        }
}

} // namespace headscope::app
