#pragma once

#include <QFont>
#include <QRectF>

#include "model/analysis/architecture/stream_addition.h"
#include "model/analysis/maps/cell_arithmetic.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Draws a signed bar for every dimension of q, k, their product, weight times v and the addition to the
/// residual stream, unless that is null: not known.
void drawArithmetic(QPainter& painter, const QRectF& area, const analysis::CellArithmetic& cell,
                    const analysis::StreamAddition* addition, const QFont& font, const Theme& theme);

} // namespace headscope::widgets
