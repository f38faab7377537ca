#include "widgets/views/lens/lens_figure.h"

#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double lensFigureMargin = 16;
constexpr double lensGap = 12;
constexpr double narrowest = 480; ///< minimum width, for legend and caption
constexpr double lensFigureLegendWidth = 300;
constexpr double lensRounded = 1; ///< allows for the rounding of sizes to whole units

} // namespace

LensLayout LensFigure::layout() const {
    return {picture.measured(), {narrowest, 0}};
}

double LensFigure::captionHeight(double width) const {
    const QRectF room(0, 0, width, 10000);
    return caption.isEmpty() ? 0
                             : std::ceil(QFontMetricsF(picture.style.font)
                                             .boundingRect(room, Qt::TextWordWrap, caption)
                                             .height()) +
                                   lensGap;
}

double LensFigure::legendHeight() const {
    return std::ceil(QFontMetricsF(picture.style.font).height()) + 4;
}

QSize LensFigure::size(double wide) const {
    const double most = std::max(wide - 2 * lensFigureMargin, narrowest);
    const LensLayout cells = layout();
    double width = narrowest;
    double height = 0;
    for (const auto& [first, last] : cells.pieces(most + lensRounded)) {
        width = std::max(width, cells.headingWidth() + last - first);
        height += cells.whole().height() + lensGap;
    }
    return QSizeF(width + 2 * lensFigureMargin,
                  height + legendHeight() + captionHeight(width) + 2 * lensFigureMargin)
        .toSize();
}

void LensFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const double wide = std::min(usualWidth, area.width());
    const double most = wide - 2 * lensFigureMargin;
    const QSizeF wanted(size(wide));
    const double scale = std::min({1.0, area.width() / wanted.width(), area.height() / wanted.height()});
    const LensLayout cells = layout();
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(scale, scale);
    painter.translate(lensFigureMargin, lensFigureMargin);
    for (const auto& [first, last] : cells.pieces(most + lensRounded)) {
        picture.draw(painter, {cells.headingWidth() + last - first, cells.whole().height()}, cells,
                     {first, 0}, theme);
        painter.translate(0, cells.whole().height() + lensGap);
    }
    const double width = wanted.width() - 2 * lensFigureMargin;
    drawLensLegend(painter, QRectF(0, 0, std::min(lensFigureLegendWidth, width), legendHeight()),
                   picture.tint, picture.style.font, theme);
    painter.setFont(picture.style.font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, legendHeight() + lensGap, width, captionHeight(width)),
                     Qt::AlignLeft | Qt::TextWordWrap, caption);
    painter.restore();
}

} // namespace headscope::widgets
