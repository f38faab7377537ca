#pragma once

#include <QRectF>

#include "model/analysis/output/decode_paths.h"

class QPainter;
class QColor;

namespace headscope::widgets {

/// What a path is, so that it needs no colour: shown, a fork, a die, a branch, a lock, scissors.
void drawPathIcon(QPainter& painter, const QRectF& area, const analysis::PathRow& row, bool isShown,
                  const QColor& colour);
void drawScissors(QPainter& painter, const QRectF& area, const QColor& colour);

} // namespace headscope::widgets
