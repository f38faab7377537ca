#include "widgets/drawing/signed_bar.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

/// Distance from the middle of the diverging scale.
constexpr double strength = 0.38;

} // namespace

QColor aboveZeroColour(const Theme& theme) {
    return ColourScale::diverging(1, theme.dark).colourAt(0.5 + strength);
}

QColor belowZeroColour(const Theme& theme) {
    return ColourScale::diverging(1, theme.dark).colourAt(0.5 - strength);
}

void drawSignedBar(QPainter& painter, const QRectF& area, double value, double limit, const Theme& theme) {
    const double zero = std::floor(area.center().x());
    if (!std::isnan(value) && limit > 0) {
        const double share = std::clamp(value / limit, -1.0, 1.0);
        const double length = std::abs(share) * (area.width() / 2 - 1);
        // A tiny value must not look like zero.
        const double shown = value != 0 ? std::max(1.0, length) : 0;
        painter.fillRect(
            QRectF(value > 0 ? zero + 1 : zero - shown, area.top() + 1, shown, area.height() - 2),
            value > 0 ? aboveZeroColour(theme) : belowZeroColour(theme));
    }
    painter.fillRect(QRectF(zero, area.top(), 1, area.height()), theme.faintText);
}

void drawShareBar(QPainter& painter, const QRectF& area, double share, const QColor& bar,
                  const QColor& line) {
    if (share > 0) // little is not nothing
        painter.fillRect(QRectF(area.left() + 1, area.top() + 1,
                                std::max(1.0, std::min(share, 1.0) * (area.width() - 1)), area.height() - 2),
                         bar);
    painter.fillRect(QRectF(area.left(), area.top(), 1, area.height()), line);
}

void drawBarTick(QPainter& painter, const QRectF& area, double share, bool fromLeft, const QColor& ink) {
    constexpr double wide = 2;
    const double within = std::clamp(share, fromLeft ? 0.0 : -1.0, 1.0);
    const double place = fromLeft ? area.left() + within * area.width()
                                  : std::floor(area.center().x()) + within * (area.width() / 2 - 1);
    painter.fillRect(QRectF(std::clamp(place - wide / 2, area.left(), area.right() - wide), area.top() - 1,
                            wide, area.height() + 2),
                     ink);
}

void TrackedBar::draw(QPainter& painter, const QRectF& area) const {
    const double thin = second ? std::round(area.height() / 3) : 0;
    const auto strip = [&](const QRectF& of, double length, const QColor& ink) {
        painter.fillRect(of, track);
        if (length > 0) // little is not nothing
            painter.fillRect(
                QRectF(of.topLeft(), QSizeF(std::max(1.0, std::min(length, 1.0) * of.width()), of.height())),
                ink);
    };
    strip(QRectF(area.left(), area.top() + 1, area.width(), area.height() - 2 - thin - (second ? 1 : 0)),
          share, bar);
    if (second)
        strip(QRectF(area.left(), area.bottom() - 1 - thin, area.width(), thin), *second, secondBar);
}

void drawShareBar(QPainter& painter, const QRectF& area, double share, const Theme& theme) {
    drawShareBar(painter, area, share, aboveZeroColour(theme), theme.faintText);
}

} // namespace headscope::widgets
