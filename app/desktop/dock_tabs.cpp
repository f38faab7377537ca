#include "app/desktop/dock_tabs.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMouseEvent>
#include <QTabBar>

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

/// Moves the focus to a panel whose tab or title is clicked, and from a closed panel to the views.
class KeysFollow : public QObject {
  public:
    explicit KeysFollow(QMainWindow* window) : QObject(window), window_(window) {
        qApp->installEventFilter(this);
        for (auto* dock : docks())
            dock->installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::MouseButtonRelease) {
            if (auto* dock = clicked(watched, *static_cast<QMouseEvent*>(event)))
                QMetaObject::invokeMethod(
                    dock,
                    [dock] {
                        if (isInSight(*dock))
                            giveKeys(*dock);
                    },
                    Qt::QueuedConnection);
        } else if (event->type() == QEvent::Hide) {
            const auto* dock = qobject_cast<const QDockWidget*>(watched);
            if (dock && dock->isHidden() && hasKeys(*window_, *dock))
                window_->setFocus();
        }
        return QObject::eventFilter(watched, event);
    }

  private:
    QList<QDockWidget*> docks() const {
        return window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
    }
    QDockWidget* clicked(QObject* watched, const QMouseEvent& release) const {
        if (release.button() != Qt::LeftButton)
            return nullptr;
        if (auto* dock = qobject_cast<QDockWidget*>(watched)) {
            const QPoint at = release.position().toPoint(); // in dock coordinates, also from labels
            const bool onTitle = dock->rect().contains(at) && !dock->widget()->geometry().contains(at);
            return onTitle && dock->parentWidget() == window_ ? dock : nullptr;
        }
        const auto* tabs = qobject_cast<const QTabBar*>(watched);
        if (!tabs || tabs->parentWidget() != window_)
            return nullptr;
        const QString title = tabs->tabText(tabs->tabAt(release.position().toPoint()));
        const auto all = docks();
        const auto found = std::ranges::find_if(
            all, [&](const auto* dock) { return !dock->isHidden() && dock->windowTitle() == title; });
        return found == all.end() ? nullptr : *found;
    }

    QMainWindow* window_;
};

} // namespace

QMainWindow* windowOf(const QDockWidget& dock) {
    return qobject_cast<QMainWindow*>(dock.parentWidget());
}

void layOnOpenDocks(QDockWidget* dock) {
    auto* window = windowOf(*dock);
    const auto area = window->dockWidgetArea(dock);
    for (auto* other : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        if (other != dock && !other->isHidden() && !other->isFloating() &&
            window->dockWidgetArea(other) == area)
            window->tabifyDockWidget(other, dock);
}

void openOnTop(QDockWidget* dock, bool wasClosed, int leastHeight) {
    if (wasClosed)
        layOnOpenDocks(dock);
    dock->show();
    dock->raise();
    if (dock->height() < leastHeight && !dock->isFloating())
        windowOf(*dock)->resizeDocks({dock}, {leastHeight}, Qt::Vertical);
}

void layOnOpenDocksFromMenu(QDockWidget* dock) {
    QObject::connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
        if (shown)
            layOnOpenDocks(dock);
    });
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

bool closesByItsKey(QDockWidget& dock) {
    return isInSight(dock) && dockAround(dock.window()->focusWidget()) == &dock && dock.close();
}

void keepKeysInSight(QMainWindow* window) {
    new KeysFollow(window);
    for (auto* dock : window->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        QObject::connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
            if (!shown)
                return;
            dock->raise();
            giveKeys(*dock);
        });
        // Queued, until the covering panel is in place.
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
