#pragma once

#include <QFont>
#include <QRectF>

#include "widgets/drawing/colour_scale.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Draws the legend to the right of a map that fills `plot`: a vertical bar with ticks and numbers.
void drawColourBar(QPainter& painter, const QRectF& plot, const ColourScale& scale, const QFont& font,
                   const Theme& theme);
/// Returns the width the legend needs, including its distance from the map.
double colourBarWidth(const ColourScale& scale, const QFont& font);

} // namespace headscope::widgets
