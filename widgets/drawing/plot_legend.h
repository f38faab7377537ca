#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// An entry of a legend. `sample` draws the symbol into a rectangle.
struct LegendEntry {
    std::function<void(QPainter&, const QRectF&)> sample;
    QString text;
};

/// Draws entries side by side from the top of `area`, on as many lines as needed; elides an entry wider than
/// the area. Returns the height used. Only measures if `painter` is null.
double drawLegend(QPainter* painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                  const QFont& font, const Theme& theme);

} // namespace headscope::widgets
