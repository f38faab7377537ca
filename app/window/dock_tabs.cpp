#include "app/window/dock_tabs.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>

namespace headscope::app {

namespace {

bool hasKeys(const QMainWindow& window, const QDockWidget& dock) {
    return dockAround(window.focusWidget()) == &dock;
}

QWidget* firstWithKeys(QWidget* page) {
    for (QWidget* next = page; next;) {
        const bool takes = (next->focusPolicy() & Qt::TabFocus) || next->focusProxy();
        if (takes && next->isEnabled() && next->isVisibleTo(page) &&
            (next == page || page->isAncestorOf(next)))
            return next;
        next = next->nextInFocusChain();
        if (next == page)
            break;
    }
    return page;
}

void leaveKeysToCover(QMainWindow& window, QDockWidget& covered) {
    if (covered.isHidden() || isInSight(covered) || !hasKeys(window, covered))
        return;
    const auto others = window.tabifiedDockWidgets(&covered);
    const auto cover = std::ranges::find_if(others, [](const auto* other) { return isInSight(*other); });
    if (cover != others.end())
        giveKeys(**cover);
}

} // namespace

void layOnOpenDocks(QMainWindow* window, QDockWidget* dock) {
    const auto area = window->dockWidgetArea(dock);
    for (auto* other : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (other != dock && !other->isHidden() && !other->isFloating() &&
            window->dockWidgetArea(other) == area)
            window->tabifyDockWidget(other, dock);
}

bool isInSight(const QDockWidget& dock) {
    return dock.isVisible() && !dock.visibleRegion().isEmpty();
}

QDockWidget* dockAround(const QWidget* widget) {
    for (auto* around = const_cast<QWidget*>(widget); around; around = around->parentWidget())
        if (auto* dock = qobject_cast<QDockWidget*>(around))
            return dock;
    return nullptr;
}

void giveKeys(QDockWidget& dock) {
    if (dock.isFloating())
        dock.activateWindow();
    if (dockAround(dock.window()->focusWidget()) != &dock)
        firstWithKeys(dock.widget())->setFocus(Qt::ShortcutFocusReason);
}

void keepKeysInSight(QMainWindow* window) {
    for (auto* dock : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        QObject::connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
            if (shown)
                giveKeys(*dock);
        });
        // Once the one that covers it stands where it stood.
        QObject::connect(
            dock, &QDockWidget::visibilityChanged, window,
            [window, dock](bool seen) {
                if (!seen)
                    leaveKeysToCover(*window, *dock);
            },
            Qt::QueuedConnection);
    }
}

} // namespace headscope::app
