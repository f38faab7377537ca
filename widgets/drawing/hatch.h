#pragma once

#include <QRectF>

class QColor;
class QPainter;

namespace headscope::widgets {

struct Theme;

/// What the mask closes: slanted lines on a lattice shared by all areas. They are lines, not a brush, so that
/// every file format shows them.
void drawHatch(QPainter& painter, const QRectF& area, const Theme& theme);
/// Lines of the same kind, so many units apart across.
void drawStripes(QPainter& painter, const QRectF& area, const QColor& colour, double apart);

} // namespace headscope::widgets
