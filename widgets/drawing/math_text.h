#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

/// Words with the field's letters in them, as a textbook sets them: in "(N, T, d_model)" the letters are
/// slanted and what follows "_" is a subscript.
double mathWidth(const QFont& font, const QString& text);

/// One line in the painter's font and pen, horizontally aligned, in the middle of the area's height.
void drawMath(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QString& text);

} // namespace headscope::widgets
