#pragma once

class QLabel;
class QWidget;

namespace headscope::widgets {

/// A label for sentences: plain text that wraps.
QLabel* wrappedLabel(QWidget* parent);

} // namespace headscope::widgets
