#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// The two sides of the diverging scale, strong enough for marks (3:1 on background and panel).
QColor aboveZeroColour(const Theme& theme);
QColor belowZeroColour(const Theme& theme);

/// A bar from the middle of `area`, where a line marks zero: to the right above zero, to the left below, as
/// long as the value's share of `limit`. The side says what the colour says. Nothing but the line for what is
/// not a number.
void drawSignedBar(QPainter& painter, const QRectF& area, double value, double limit, const Theme& theme);
/// The same in one colour, for a selected row.
void drawSignedBar(QPainter& painter, const QRectF& area, double value, double limit, const QColor& ink);
/// Of a quantity without a sign: from the left, where a line marks its lowest value, to its share of 1.
void drawShareBar(QPainter& painter, const QRectF& area, double share, const Theme& theme);
void drawShareBar(QPainter& painter, const QRectF& area, double share, const QColor& bar, const QColor& line);

} // namespace headscope::widgets
