#pragma once

class QWidget;

namespace headscope::app {

/// Sends the key +, - or 0 to the focused map, else to the first visible map on `page`, if there is one.
void pressZoomKey(QWidget& page, int key);

} // namespace headscope::app
