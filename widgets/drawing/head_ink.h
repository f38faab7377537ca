#pragma once

#include <QColor>
#include <QPen>

namespace headscope::widgets {

struct Theme;

/// Colour and dash pattern that distinguish the lines of several heads. No two of the first 64 heads share
/// both.
struct HeadInk {
    QColor colour;
    QList<qreal> dashes; ///< in 1/96 inch; empty: solid

    /// Returns an opaque pen of this width.
    QPen pen(double width) const;
};

HeadInk inkOfHead(int head, const Theme& theme);

/// For a head shown alone: its colour, solid.
HeadInk inkOfOneHead(int head, const Theme& theme);

} // namespace headscope::widgets
