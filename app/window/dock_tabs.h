#pragma once

class QDockWidget;
class QMainWindow;

namespace headscope::app {

/// Lays a panel that was closed as a tab on those that are open in its area. Only now, not when the window is
/// made: closed ones would leave a bar without tabs, where the keyboard stops at nothing.
void layOnOpenDocks(QMainWindow* window, QDockWidget* dock);

} // namespace headscope::app
