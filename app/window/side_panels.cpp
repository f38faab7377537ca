#include "app/window/side_panels.h"

#include "app/desktop/dock_tabs.h"
#include "app/window/tabs.h"
#include "widgets/controls/view_choices.h"

#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace headscope::app {

SidePanels::SidePanels(QMainWindow* window, Tabs* tabs) : QObject(window), window_(window), tabs_(tabs) {
    connect(tabs, &QTabWidget::currentChanged, this, &SidePanels::followTab);
    for (auto* dock : docks())
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isVisible) {
            if (isVisible) // opened by the user: not hidden or restored any more
                std::erase(aside_, dock->objectName().toStdString());
        });
}

void SidePanels::addChoices(widgets::ViewChoices& choices) {
    choices.add(
        "window", "panels-aside", [this] { return widgets::ChoiceValue(aside_); },
        [this](const auto& value) { aside_ = std::get<std::vector<std::string>>(value); });
}

QList<QDockWidget*> SidePanels::docks() const {
    return window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
}

void SidePanels::followTab() {
    if (!tabs_->isWide())
        return showAside();
    auto atSides = docks();
    atSides.removeIf([this](QDockWidget* dock) {
        const auto area = window_->dockWidgetArea(dock);
        const bool isAtSide = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
        return !isAtSide || dock->isFloating() || dock->isHidden();
    });
    // Visible tabs last, as panels are raised in this order when restored.
    std::ranges::stable_partition(atSides, [](const QDockWidget* dock) { return !isInSight(*dock); });
    for (auto* dock : atSides) {
        aside_.push_back(dock->objectName().toStdString());
        dock->hide();
    }
}

void SidePanels::showAside() {
    for (const auto& name : std::exchange(aside_, {}))
        if (auto* dock =
                window_->findChild<QDockWidget*>(QString::fromStdString(name), Qt::FindDirectChildrenOnly)) {
            dock->show();
            dock->raise();
        }
}

} // namespace headscope::app
