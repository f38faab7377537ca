#pragma once

#include "widgets/views/architecture/architecture_facts.h"
#include "widgets/views/architecture/architecture_layout.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// What goes in at the feet of the columns and what comes out at the top: the sentence, the step's token
/// after those before it, the token it chose, or the most probable class.
void drawArchitectureTokens(QPainter& painter, const ArchitectureLayout& layout,
                            const ArchitectureFacts& facts, bool spaceMarks, const Theme& theme);

} // namespace headscope::widgets
