#include "widgets/views/lens/lens_figure.h"

#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double lensGap = 12;
constexpr double narrowest = 480; ///< minimum width, for the legend
constexpr double lensFigureLegendWidth = 300;
constexpr double lensRounded = 1; ///< allows for the rounding of sizes to whole units

} // namespace

FigureBlock lensBlock(const LensPicture& picture) {
    const LensLayout cells(picture.measured(), {narrowest, 0});
    const double legend = std::ceil(QFontMetricsF(picture.style.font).height()) + 4;
    const auto piecesOf = [=](double wide) { return cells.pieces(std::max(wide, narrowest) + lensRounded); };
    const auto size = [=](double wide) {
        double width = narrowest, height = legend;
        for (const auto& [first, last] : piecesOf(wide)) {
            width = std::max(width, cells.headingWidth() + last - first);
            height += cells.whole().height() + lensGap;
        }
        return QSizeF(width, height);
    };
    const auto draw = [=](QPainter& painter, const QRectF& area, const Theme& theme) {
        const QSizeF wanted = size(area.width());
        const double scale = std::min({1.0, area.width() / wanted.width(), area.height() / wanted.height()});
        painter.save();
        painter.translate(area.topLeft());
        painter.scale(scale, scale);
        for (const auto& [first, last] : piecesOf(area.width())) {
            picture.draw(painter, {cells.headingWidth() + last - first, cells.whole().height()}, cells,
                         {first, 0}, theme);
            painter.translate(0, cells.whole().height() + lensGap);
        }
        drawLensLegend(painter, QRectF(0, 0, std::min(lensFigureLegendWidth, wanted.width()), legend),
                       picture.tint, picture.style.font, theme);
        painter.restore();
    };
    return {.size = size, .draw = draw, .grows = false};
}

} // namespace headscope::widgets
