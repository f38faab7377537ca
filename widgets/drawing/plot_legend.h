#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// One thing of a legend: what it looks like, and what it is.
struct LegendEntry {
    std::function<void(QPainter&, const QRectF&)> sample;
    QString text;
};

/// Entries side by side on as many lines as they need, from the top of `area`; a longer one than the area is
/// elided. Returns the height they take. Without a painter they are only measured.
double drawLegend(QPainter* painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                  const QFont& font, const Theme& theme);

} // namespace headscope::widgets
