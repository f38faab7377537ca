#pragma once

#include <QRectF>

class QPainter;

namespace headscope::widgets {

class ColourScale;
class MapLayout;
struct MapPicture;

/// A minus in the cells that are below zero, from 8 pixels a side on, so that signs are told without colours.
/// None where the scale has no sign, the cell is closed, or its tone is that of zero.
void drawMinusStrokes(QPainter& painter, const MapPicture& picture, const MapLayout& layout);
/// The same on the lower half of an upright legend.
void drawMinusStrokes(QPainter& painter, const QRectF& bar, const ColourScale& scale);

} // namespace headscope::widgets
