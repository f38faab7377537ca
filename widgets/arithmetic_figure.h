#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "model/analysis/cell_arithmetic.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// One cell's arithmetic as a figure: its title, a signed bar for every dimension of q, k, their product and
/// weight times v, and the steps in words under them.
void drawArithmeticFigure(QPainter& painter, const QRectF& area, const QString& title,
                          const analysis::CellArithmetic& cell, const QFont& font, const Theme& theme);

} // namespace headscope::widgets
