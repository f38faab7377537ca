#include "app/desktop/panel_places.h"

#include <QDockWidget>
#include <QMainWindow>
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

std::vector<std::string> PanelPlaces::words() const {
    std::vector<std::string> words;
    for (auto* dock : docksOf(*window_))
        words.push_back(wordsOf(*window_, dock).toStdString());
    return words;
}

void PanelPlaces::set(const std::vector<std::string>& words) const {
    for (auto* dock : docksOf(*window_))
        for (const auto& each : words) {
            const auto parts = QString::fromStdString(each).split(' ');
            if (parts.size() > 1 && parts[0] == dock->objectName())
                place(*window_, dock, parts);
        }
}

} // namespace headscope::app
