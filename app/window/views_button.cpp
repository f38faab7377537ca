#include "app/window/views_button.h"

#include <QEvent>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>

namespace headscope::app {

ViewsButton::ViewsButton(QTabWidget* tabs) : QToolButton(tabs), tabs_(tabs) {
    setText(tr("Views"));
    setAccessibleName(tr("All views"));
    setToolTip(tr("List of all views, also of those whose tabs do not fit"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &ViewsButton::fill);
    tabs_->setCornerWidget(this, Qt::TopRightCorner);
    tabs_->installEventFilter(this);
    tabs_->tabBar()->installEventFilter(this);
    follow();
}

void ViewsButton::fill() {
    menu()->clear();
    for (int tab = 0; tab < tabs_->count(); ++tab) {
        if (!tabs_->isTabVisible(tab))
            continue;
        QAction* action = menu()->addAction(tabs_->tabText(tab));
        action->setToolTip(tabs_->tabToolTip(tab));
        action->setCheckable(true);
        action->setChecked(tab == tabs_->currentIndex());
        connect(action, &QAction::triggered, tabs_, [tabs = tabs_, tab] { tabs->setCurrentIndex(tab); });
    }
}

/// QTabWidget reserves room for its corner widget even if that is hidden.
QSize ViewsButton::sizeHint() const {
    return isHidden() ? QSize(0, 0) : QToolButton::sizeHint();
}

/// Ignores the button's own width: otherwise it would appear and disappear in turns.
void ViewsButton::follow() {
    setVisible(tabs_->tabBar()->sizeHint().width() > tabs_->width());
}

bool ViewsButton::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
        event->type() == QEvent::FontChange || event->type() == QEvent::Show)
        follow();
    return QToolButton::eventFilter(watched, event);
}

} // namespace headscope::app
