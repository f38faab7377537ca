#pragma once

#include <QFont>
#include <QRectF>
#include <QStringList>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Content of the figure of a cell's arithmetic.
struct ArithmeticFigure {
    QString title;
    QStringList steps; ///< as text; empty: not drawn
    const analysis::CellArithmetic& cell;
    const analysis::StreamAddition* addition = nullptr; ///< null: not known
};

/// Height of the steps, including the distance to the bars.
double arithmeticStepsHeight(const QStringList& steps, double width, const QFont& font);
/// Draws the title, a signed bar for every dimension of q, k, their product, weight times v and the addition
/// to the residual stream, and below them the steps.
void drawArithmeticFigure(QPainter& painter, const QRectF& area, const ArithmeticFigure& figure,
                          const QFont& font, const Theme& theme);

} // namespace headscope::widgets
