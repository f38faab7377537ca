#include "app/window/bottom_docks.h"

#include <QDockWidget>
#include <QMainWindow>

namespace headscope::app {

void openBelow(QMainWindow* window, QDockWidget* dock, bool wasClosed) {
    const auto docks = window->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    for (QDockWidget* other : docks) {
        const bool liesThere = window->dockWidgetArea(other) == Qt::BottomDockWidgetArea &&
                               !other->isHidden() && !other->isFloating();
        if (other != dock && wasClosed && liesThere)
            window->tabifyDockWidget(other, dock);
    }
    dock->show();
    dock->raise();
}

} // namespace headscope::app
