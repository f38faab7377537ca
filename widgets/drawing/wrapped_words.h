#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

/// Lines of a caption in the window; a tooltip has the full text.
inline constexpr int captionLines = 2;

/// Draws word-wrapped plain text from the top of `area`. Draws whole lines only and elides the last line that
/// fits.
void drawWrapped(QPainter& painter, const QRectF& area, const QString& words);

} // namespace headscope::widgets
