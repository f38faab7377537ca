#pragma once

#include <QColor>
#include <QRectF>

#include <optional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// The two hues of the diverging scale, dark or light enough for marks (3:1 on background and panel).
QColor aboveZeroColour(const Theme& theme);
QColor belowZeroColour(const Theme& theme);

/// Draws a bar from a zero line in the middle of `area`: to the right if positive, to the left if negative,
/// with length |value| / limit of the half. The direction repeats what the colour says. Draws only the zero
/// line for NaN.
void drawSignedBar(QPainter& painter, const QRectF& area, double value, double limit, const Theme& theme);
/// Draws a bar for an unsigned quantity, from a zero line at the left, over `share` (0 to 1) of the width.
void drawShareBar(QPainter& painter, const QRectF& area, double share, const Theme& theme);
void drawShareBar(QPainter& painter, const QRectF& area, double share, const QColor& bar, const QColor& line);
/// A mark across a bar at a share of a full one: from the left edge, or from the middle with its sign.
void drawBarTick(QPainter& painter, const QRectF& area, double share, bool fromLeft, const QColor& ink);

/// A strip as long as a full bar, with a bar on it and, below, the thinner strip of a second value.
struct TrackedBar {
    double share = 0;
    std::optional<double> second = {};
    QColor bar;
    QColor secondBar;
    QColor track;

    void draw(QPainter& painter, const QRectF& area) const;
};

} // namespace headscope::widgets
