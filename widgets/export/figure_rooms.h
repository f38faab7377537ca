#pragma once

#include <QSize>
#include <QStringList>

#include "widgets/export/figure_export.h"

namespace headscope::widgets {

/// Left and right of the line below a picture, and above it.
inline constexpr int figureLineMargin = 12;

/// Where a figure's parts lie, in units of which `scale` are 1/96 inch.
struct FigureRooms {
    QSize picture;
    QStringList rows; ///< of the line below it; empty where none is wanted
    int below = 0;
    double scale = 1;
};

FigureRooms roomsOf(const FigureOptions& options, const FigureSource& source);

} // namespace headscope::widgets
