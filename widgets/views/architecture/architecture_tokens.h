#pragma once

#include "widgets/views/architecture/architecture_facts.h"
#include "widgets/views/architecture/architecture_layout.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Draws the input at the bottom of the columns and the output at the top: the sentence; the target up to the
/// token of the step; the token it chose, or the most probable class.
void drawArchitectureTokens(QPainter& painter, const ArchitectureLayout& layout,
                            const ArchitectureFacts& facts, bool spaceMarks, const Theme& theme);

} // namespace headscope::widgets
