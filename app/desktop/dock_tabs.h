#pragma once

class QDockWidget;
class QMainWindow;
class QWidget;

namespace headscope::app {

QMainWindow* windowOf(const QDockWidget& dock);

/// Makes a closed panel a tab of the open panels in its area. Done when it opens, not when the window is
/// built: closed panels would leave an empty tab bar that takes keyboard focus.
void layOnOpenDocks(QDockWidget* dock);

/// Opens a panel at the bottom on top of the others, at least `leastHeight` high unless it floats.
void openOnTop(QDockWidget* dock, bool wasClosed, int leastHeight = 0);

/// Calls layOnOpenDocks() whenever the panel is opened from the menu.
void layOnOpenDocksFromMenu(QDockWidget* dock);

/// True if the panel is open and not covered by another tab.
bool isInSight(const QDockWidget& dock);

/// Returns the panel that contains a widget; null if none does.
QDockWidget* dockAround(const QWidget* widget);

/// Moves the keyboard focus to the first control of a panel, unless the panel already has the focus.
void giveKeys(QDockWidget& dock);

/// Closes a panel whose shortcut is pressed while it has the keyboard focus; returns true if closed.
/// Otherwise does nothing, as the user wants to see the panel, and the caller opens it.
bool closesByItsKey(QDockWidget& dock);

/// From now on the keyboard focus stays in visible widgets: it moves to a panel that is opened from a menu or
/// whose tab or title is clicked, from a covered panel to the one that covers it, and from a closed panel to
/// the views.
void keepKeysInSight(QMainWindow* window);

} // namespace headscope::app
