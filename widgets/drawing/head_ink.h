#pragma once

#include <QColor>
#include <QPen>

namespace headscope::widgets {

struct Theme;

/// How the lines of one head among several are told apart: by colour and by dashes. Of nine heads and more
/// no two have both alike until there are 64.
struct HeadInk {
    QColor colour;
    QList<qreal> dashes; ///< in 1/96 inch; empty: a solid line

    /// Without transparency, `width` wide.
    QPen pen(double width) const;
};

HeadInk inkOfHead(int head, const Theme& theme);

/// Of a head that is alone: its colour, without dashes.
HeadInk inkOfOneHead(int head, const Theme& theme);

} // namespace headscope::widgets
