#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Words in the middle of a view that has nothing to show: what it would show, and what gets there.
void drawEmptyState(QPainter& painter, const QRectF& area, const QString& whatItShows,
                    const QString& wayThere, const Theme& theme);

} // namespace headscope::widgets
