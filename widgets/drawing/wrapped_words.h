#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

/// Beside a picture in the window; all of the words are in a tooltip.
inline constexpr int captionLines = 2;

/// Plain words in whole lines from the top of `area`; where there is room for no more, the last one ends in
/// dots.
void drawWrapped(QPainter& painter, const QRectF& area, const QString& words);

} // namespace headscope::widgets
