#include "app/window/dock_tabs.h"

#include <QDockWidget>
#include <QMainWindow>

namespace headscope::app {

void layOnOpenDocks(QMainWindow* window, QDockWidget* dock) {
    const auto area = window->dockWidgetArea(dock);
    for (auto* other : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (other != dock && !other->isHidden() && !other->isFloating() &&
            window->dockWidgetArea(other) == area)
            window->tabifyDockWidget(other, dock);
}

} // namespace headscope::app
