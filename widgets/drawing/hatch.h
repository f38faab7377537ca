#pragma once

#include <QRectF>

class QColor;
class QPainter;

namespace headscope::widgets {

struct Theme;

/// Draws the hatching of masked cells: slanted lines on a lattice that all areas share. Lines rather than a
/// brush, because every file format supports lines.
void drawHatch(QPainter& painter, const QRectF& area, const Theme& theme);
/// Draws only the lines, `apart` units from each other horizontally.
void drawStripes(QPainter& painter, const QRectF& area, const QColor& colour, double apart);

} // namespace headscope::widgets
