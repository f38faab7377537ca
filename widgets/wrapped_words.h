#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

/// Plain words in whole lines from the top of `area`; where there is room for no more, the last one ends in
/// dots.
void drawWrapped(QPainter& painter, const QRectF& area, const QString& words);

} // namespace headscope::widgets
