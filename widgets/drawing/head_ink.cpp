#include "widgets/drawing/head_ink.h"

#include "widgets/drawing/theme.h"

#include <array>

namespace headscope::widgets {

QPen HeadInk::pen(double width) const {
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
    if (dashes.empty())
        return pen;
    QList<qreal> inWidths; // QPen measures dashes in pen widths
    for (const qreal dash : dashes)
        inWidths += dash / width;
    pen.setDashPattern(inWidths);
    return pen;
}

HeadInk inkOfHead(int head, const Theme& theme) {
    static const std::array<QList<qreal>, 8> patterns{{
        {},
        {12, 4},
        {4, 4},
        {14, 4, 3, 4},
        {20, 5},
        {7, 3},
        {10, 3, 3, 3, 3, 3},
        {2, 3},
    }};
    const auto& colours = categoryColours(theme);
    const std::size_t index = head;
    // Each further eight heads repeat the colours with the dashes shifted by one.
    return {.colour = colours[index % colours.size()],
            .dashes = patterns[(index + index / colours.size()) % patterns.size()]};
}

HeadInk inkOfOneHead(int head, const Theme& theme) {
    return {.colour = inkOfHead(head, theme).colour, .dashes = {}};
}

} // namespace headscope::widgets
