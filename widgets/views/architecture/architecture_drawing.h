#pragma once

#include <QFont>

#include "widgets/views/architecture/architecture_facts.h"
#include "widgets/views/architecture/architecture_layout.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// What is marked in a drawn architecture.
struct ArchitectureMarks {
    std::optional<std::size_t> current; ///< the box whose numbers are shown
    std::optional<std::size_t> hovered;
    bool spaceMarks = true;
};

/// How a label says a tensor's shape: (N, S) = (1, 16), or the numbers below the letters where there is
/// little room.
enum class ShapeLabels { OneLine, TwoLines };

/// Measures titles and labels for layOutArchitecture. `facts` outlives it.
ArchitectureText architectureText(const ArchitectureFacts& facts, const QFont& font,
                                  ShapeLabels labels = ShapeLabels::OneLine);

/// Draws a layout made of the same facts with the painter's font, from (0, 0) to its size.
void drawArchitecture(QPainter& painter, const ArchitectureLayout& layout, const ArchitectureFacts& facts,
                      const ArchitectureMarks& marks, const Theme& theme);

/// The sign in a title's corner that folds and unfolds; empty where there is nothing to unfold.
QRectF foldSign(const ArchitectureBox& box);

} // namespace headscope::widgets
