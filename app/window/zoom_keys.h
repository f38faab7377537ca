#pragma once

class QWidget;

namespace headscope::app {

/// Presses +, - or 0 on the map that has the focus, else on the first one in sight on `page`, which may have
/// none.
void pressZoomKey(QWidget& page, int key);

} // namespace headscope::app
