#pragma once

#include <QFont>
#include <QRectF>

#include "widgets/drawing/colour_scale.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// The legend of a map that ends at `plot`: an upright bar at its right with ticks and numbers.
void drawColourBar(QPainter& painter, const QRectF& plot, const ColourScale& scale, const QFont& font,
                   const Theme& theme);
/// Room the legend needs at the right of a map.
double colourBarWidth(const ColourScale& scale, const QFont& font);

} // namespace headscope::widgets
