#pragma once

class QLineEdit;

namespace headscope::widgets {

/// Keeps at most so many characters in a line: each key in a longer one would stall the window. What is cut
/// off is said beside the line.
void limitText(QLineEdit* line, int most);

} // namespace headscope::widgets
