#pragma once

#include <QFont>

#include "widgets/views/architecture/architecture_layout.h"
#include "widgets/views/architecture/architecture_words.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Marks in a drawn architecture.
struct ArchitectureMarks {
    std::optional<std::size_t> current; ///< the block whose numbers are shown
    std::optional<std::size_t> hovered;
    bool spaceMarks = true;
};

/// Format of a tensor's shape: (N, S) = (1, 16), or the numbers below the letters in narrow places.
enum class ShapeLabels { OneLine, TwoLines };

/// Text measures for layOutArchitecture(). `facts` must outlive the result.
ArchitectureText architectureText(const ArchitectureFacts& facts, const QFont& font,
                                  ShapeLabels labels = ShapeLabels::OneLine);

/// Draws a layout of the same facts in the painter's font, from (0, 0) to its size.
void drawArchitecture(QPainter& painter, const ArchitectureLayout& layout, const ArchitectureFacts& facts,
                      const ArchitectureMarks& marks, const Theme& theme);

/// The fold sign in the corner of a title; empty if the block has no children.
QRectF foldSign(const ArchitectureBox& box);

} // namespace headscope::widgets
