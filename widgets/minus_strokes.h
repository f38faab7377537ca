#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headscope::widgets {

class ColourScale;
class MapLayout;
struct MapPicture;
struct Theme;

/// One minus in the middle of `place`, to whole pixels, that can be seen on `ground`.
void drawMinusStroke(QPainter& painter, const QRectF& place, const QColor& ground);
/// A minus in the cells that are below zero, from 8 pixels a side on, so that signs are told without colours.
/// None where the scale has no sign, the cell is closed, or its tone is that of zero.
void drawMinusStrokes(QPainter& painter, const MapPicture& picture, const MapLayout& layout);
/// The same on the lower half of an upright legend.
void drawMinusStrokes(QPainter& painter, const QRectF& bar, const ColourScale& scale);
/// Within a bar, or behind one that is too short for it; none where it is too thin.
void drawMinusOnBar(QPainter& painter, const QRectF& bar, bool isLevel, const QColor& colour,
                    const Theme& theme);

} // namespace headscope::widgets
