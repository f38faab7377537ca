#include "app/window/docks/dock_room.h"

#include "app/desktop/dock_tabs.h"

#include <QMainWindow>
#include <QTimer>

#include <algorithm>

namespace headscope::app {

bool DockRoom::isThere() const {
    return windowOf(*dock_) && !dock_->isFloating() && dock_->isVisible();
}

void DockRoom::take() {
    if (!isThere())
        return room_.reset();
    if (room_)
        return;
    auto* window = windowOf(*dock_);
    room_ = column();
    const int title = dock_->height() - dock_->widget()->height();
    const int wanted =
        std::min(view_->heightForWidth(view_->width()) + title, window->centralWidget()->height() / 2);
    if (dock_->height() >= wanted) {
        room_.emplace(); // nothing was taken, so nothing is restored
        return;
    }
    window->resizeDocks({dock_}, {wanted}, Qt::Vertical);
    constexpr int settled = 200; // ms until the window has finished its layout
    QTimer::singleShot(settled, this, [this] {
        if (room_)
            room_->given = dock_->height();
    });
}

void DockRoom::giveBack() {
    const bool isMoved = room_ && room_->given && *room_->given != dock_->height(); // by the user
    if (isThere() && room_ && !room_->docks.isEmpty() && !isMoved)
        windowOf(*dock_)->resizeDocks(room_->docks, room_->before, Qt::Vertical);
    room_.reset();
}

/// The visible panels above and below this one, and this one.
DockRoom::Room DockRoom::column() const {
    const auto* window = windowOf(*dock_);
    Room room;
    for (auto* dock : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (isInSight(*dock) && !dock->isFloating() &&
            window->dockWidgetArea(dock) == window->dockWidgetArea(dock_)) {
            room.docks += dock;
            room.before += dock->height();
        }
    }
    return room;
}

} // namespace headscope::app
