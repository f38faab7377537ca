#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headscope::widgets {

class ColourScale;
struct Theme;

/// There is no room for a minus in what is less, in pixels.
inline constexpr double leastMinusCell = 8;

/// One minus in the middle of `place`, to whole pixels, that can be seen on `ground`.
void drawMinusStroke(QPainter& painter, const QRectF& place, const QColor& ground);
/// On the lower half of an upright legend.
void drawMinusStrokes(QPainter& painter, const QRectF& bar, const ColourScale& scale);
/// Within a bar, or behind one that is too short for it; none where it is too thin.
void drawMinusOnBar(QPainter& painter, const QRectF& bar, bool isLevel, const QColor& colour,
                    const Theme& theme);

} // namespace headscope::widgets
