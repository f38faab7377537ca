#pragma once

class QDockWidget;
class QMainWindow;
class QWidget;

namespace headscope::app {

/// The window that a panel belongs to.
QMainWindow* windowOf(const QDockWidget& dock);

/// Lays a panel that was closed as a tab on those that are open in its area. Only now, not when the window is
/// made: closed ones would leave a bar without tabs, where the keyboard stops at nothing.
void layOnOpenDocks(QDockWidget* dock);

/// Opens a panel at the foot of the window, on top of the others, at least so high unless it floats.
void openOnTop(QDockWidget* dock, bool wasClosed, int leastHeight = 0);

/// The same from then on each time when it is opened from the menu of panels.
void layOnOpenDocksFromMenu(QDockWidget* dock);

/// Open, and not behind another one as a tab.
bool isInSight(const QDockWidget& dock);

/// The panel that a widget is in; null: none.
QDockWidget* dockAround(const QWidget* widget);

/// The keyboard goes to what stands first in a panel, unless it is there already.
void giveKeys(QDockWidget& dock);

/// The key of a panel closes it where the keyboard is in it. Else it goes there and opens it if need be: also
/// who chooses it in the search, or did not ask for it himself, wants to see it. True where it was closed.
bool closesByItsKey(QDockWidget& dock);

/// From then on a panel that is opened from a menu, or clicked at its tab or title, has the keyboard, one
/// that is covered by another leaves it to that, and one that is closed to the views: keys never go where
/// nobody looks.
void keepKeysInSight(QMainWindow* window);

} // namespace headscope::app
