#pragma once

#include <QFont>
#include <QRectF>
#include <QStringList>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// What a figure of one cell's arithmetic is made of.
struct ArithmeticFigure {
    QString title;
    QStringList steps; ///< in words; empty: not said
    const analysis::CellArithmetic& cell;
    const analysis::StreamAddition* addition = nullptr; ///< null: not known
};

/// Room of the steps, with the distance to the bars.
double arithmeticStepsHeight(const QStringList& steps, double width, const QFont& font);
/// The title, a signed bar for every dimension of q, k, their product, weight times v and what that adds to
/// the residual stream, and the steps under them.
void drawArithmeticFigure(QPainter& painter, const QRectF& area, const ArithmeticFigure& figure,
                          const QFont& font, const Theme& theme);

} // namespace headscope::widgets
