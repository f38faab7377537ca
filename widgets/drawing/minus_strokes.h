#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headscope::widgets {

class ColourScale;
struct Theme;

/// Smallest side of an area, in pixels, that has room for a minus sign.
inline constexpr double leastMinusCell = 8;

/// Draws a minus sign in the middle of `place`, aligned to whole pixels, in a colour that contrasts with
/// `ground`.
void drawMinusStroke(QPainter& painter, const QRectF& place, const QColor& ground);
/// Draws minus signs along the negative half of a vertical legend. Does nothing if the scale is not
/// diverging.
void drawMinusStrokes(QPainter& painter, const QRectF& bar, const ColourScale& scale);
/// Draws a minus sign on a bar, or beyond its end if the bar is too short. Draws none if the bar is too thin.
/// `isLevel`: the bar is horizontal.
void drawMinusOnBar(QPainter& painter, const QRectF& bar, bool isLevel, const QColor& colour,
                    const Theme& theme);

} // namespace headscope::widgets
