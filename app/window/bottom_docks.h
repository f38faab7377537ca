#pragma once

class QDockWidget;
class QMainWindow;

namespace headscope::app {

/// Shows a panel below the views, on the others that are open there as a tab. They are put together only now:
/// closed ones would leave a bar without tabs, where the keyboard stops at nothing. `wasClosed` is false
/// where the panel is open and only comes to the front.
void openBelow(QMainWindow* window, QDockWidget* dock, bool wasClosed);

} // namespace headscope::app
