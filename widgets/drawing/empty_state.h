#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Draws the text of an empty view, centred: what the view would show and, below, how to get there.
void drawEmptyState(QPainter& painter, const QRectF& area, const QString& whatItShows,
                    const QString& wayThere, const Theme& theme);

} // namespace headscope::widgets
