#pragma once

class QLineEdit;

namespace headscope::widgets {

/// Limits a line to `most` characters, as key strokes in longer text stall the window. Cutting text off is
/// reported beside the line.
void limitText(QLineEdit* line, int most);

} // namespace headscope::widgets
