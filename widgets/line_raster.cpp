#include "widgets/line_raster.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

/// One line in pixels of the image.
struct LineRaster::Stroke {
    double x = 0; ///< of its left end
    double y = 0;
    double slope = 0;
    double height = 0; ///< of its section with a column
    int steps = 1;     ///< a steep line is looked at several times a column
    int red = 0;       ///< premultiplied, 0 to 255
    int green = 0;
    int blue = 0;
    int alpha = 0;
};

namespace {

/// Whether there is ink so far along a dashed line.
bool isInked(const QList<qreal>& dashes, double along) {
    double period = 0;
    for (const double dash : dashes)
        period += dash;
    double rest = period > 0 ? std::fmod(along, period) : 0;
    for (qsizetype i = 0; i < dashes.size(); ++i) {
        if (rest < dashes[i])
            return i % 2 == 0;
        rest -= dashes[i];
    }
    return true;
}

} // namespace

LineRaster::LineRaster(QImage& image, const QRectF& clip) : image_(image), ratio_(image.devicePixelRatio()) {
    const QRectF scaled(clip.topLeft() * ratio_, clip.size() * ratio_);
    clip_ = scaled.toAlignedRect() & image.rect();
}

void LineRaster::draw(const QLineF& line, double width, const HeadInk& ink) {
    const QLineF scaled(line.p1() * ratio_, line.p2() * ratio_);
    if (!(scaled.dx() > 0))
        return;
    const double slope = scaled.dy() / scaled.dx();
    const double lengthOfColumn = std::hypot(1, slope);
    const QColor colour = ink.colour;
    const auto channel = [&](float value) {
        return static_cast<int>(std::lround(255 * static_cast<double>(value * colour.alphaF())));
    };
    const Stroke stroke{.x = scaled.x1(),
                        .y = scaled.y1(),
                        .slope = slope,
                        .height = width * ratio_ * lengthOfColumn,
                        .steps = std::clamp(static_cast<int>(std::ceil(2 * std::abs(slope))), 1, 16),
                        .red = channel(colour.redF()),
                        .green = channel(colour.greenF()),
                        .blue = channel(colour.blueF()),
                        .alpha = colour.alpha()};
    const int first = std::max(clip_.left(), static_cast<int>(std::lround(scaled.x1())));
    const int last = std::min(clip_.right(), static_cast<int>(std::lround(scaled.x2())) - 1);
    for (int x = first; x <= last; ++x)
        if (ink.dashes.empty() || isInked(ink.dashes, (x + 0.5 - scaled.x1()) * lengthOfColumn / ratio_))
            drawColumn(x, stroke);
}

/// The section of the line with a column of pixels, top to bottom; the mean of several for a steep line.
void LineRaster::drawColumn(int x, const Stroke& stroke) {
    const auto middle = [&](double at) { return stroke.y + (at - stroke.x) * stroke.slope; };
    const double reach = stroke.height / 2 + std::abs(stroke.slope) / 2;
    const int top = std::max(clip_.top(), static_cast<int>(std::floor(middle(x + 0.5) - reach)));
    const int bottom = std::min(clip_.bottom(), static_cast<int>(std::floor(middle(x + 0.5) + reach)));
    for (int y = top; y <= bottom; ++y) {
        double coverage = 0;
        for (int i = 0; i < stroke.steps; ++i) {
            const double centre = middle(x + (i + 0.5) / stroke.steps);
            const double above = std::max<double>(y, centre - stroke.height / 2);
            const double below = std::min<double>(y + 1, centre + stroke.height / 2);
            coverage += std::max(0.0, below - above);
        }
        if (coverage > 0)
            blend(reinterpret_cast<QRgb*>(image_.scanLine(y))[x], stroke, coverage / stroke.steps);
    }
}

void LineRaster::blend(QRgb& pixel, const Stroke& stroke, double coverage) const {
    const int part = static_cast<int>(coverage * 256);
    const int rest = 256 - stroke.alpha * part / 255;
    const auto mixed = [&](int above, int below) {
        return std::min(255, (above * part + below * rest) >> 8);
    };
    pixel = qRgba(mixed(stroke.red, qRed(pixel)), mixed(stroke.green, qGreen(pixel)),
                  mixed(stroke.blue, qBlue(pixel)), mixed(stroke.alpha, qAlpha(pixel)));
}

} // namespace headscope::widgets
