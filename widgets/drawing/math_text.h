#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

/// Returns the width of text set as a formula: in "(N, T, d_model)" the symbols are italic and the text after
/// "_" is a subscript.
double mathWidth(const QFont& font, const QString& text);

/// Draws one line in the painter's font and pen, vertically centred in `area`.
void drawMath(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QString& text);

} // namespace headscope::widgets
