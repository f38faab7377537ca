#pragma once

#include <QSize>
#include <QStringList>

#include "widgets/export/figure_export.h"

namespace headscope::widgets {

/// Margin to the left and right of the source line and above it.
inline constexpr int figureLineMargin = 12;

/// Layout of a figure's parts, in units of `scale` / 96 inch.
struct FigureRooms {
    QSize picture;
    QStringList rows; ///< rows of the source line below the picture; empty if there is none
    int below = 0;
    double scale = 1;
};

FigureRooms roomsOf(const FigureOptions& options, const FigureSource& source);

} // namespace headscope::widgets
