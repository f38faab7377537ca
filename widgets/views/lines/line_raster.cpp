#include "widgets/views/lines/line_raster.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

/// A line in pixels of the image.
struct LineRaster::Stroke {
    float x = 0; ///< of the left end
    float y = 0;
    float slope = 0;
    float perSlope = 0; ///< 1 / |slope|; 0: horizontal
    float height = 0;   ///< of the intersection with a column
    QRgb colour = 0;    ///< premultiplied
};

namespace {

/// Walks along a dashed line.
class DashWalk {
  public:
    DashWalk(const QList<qreal>& dashes, double start) : dashes_(dashes) {
        if (!dashes_.empty())
            advance(start);
    }
    bool isInked() const { return at_ % 2 == 0; }
    void advance(double by) {
        if (dashes_.empty())
            return;
        along_ += by;
        while (along_ >= dashes_[at_]) {
            along_ -= dashes_[at_];
            at_ = (at_ + 1) % dashes_.size();
        }
    }

  private:
    const QList<qreal>& dashes_;
    qsizetype at_ = 0;
    double along_ = 0; ///< distance within the current dash or gap
};

/// Returns the mean of clamp(e, 0, 1) for e uniform in [from, to]. `perDistance` is 1 / (to - from), or 0 if
/// they are equal.
float meanBetween(float from, float to, float perDistance) {
    const auto integral = [](float e) { return e <= 0 ? 0 : e >= 1 ? e - 0.5F : e * e / 2; };
    return perDistance > 0 ? (integral(to) - integral(from)) * perDistance : std::clamp(from, 0.0F, 1.0F);
}

/// Blends `part` / 256 of `colour` (premultiplied) over `below`. Two channels at a time: no sum exceeds 255.
QRgb over(QRgb colour, unsigned part, QRgb below) {
    const unsigned rest = 256 - (colour >> 24) * part / 255;
    const unsigned redBlue =
        (((colour & 0xff00ff) * part) >> 8 & 0xff00ff) + (((below & 0xff00ff) * rest) >> 8 & 0xff00ff);
    const unsigned alphaGreen =
        (((colour >> 8 & 0xff00ff) * part) & 0xff00ff00) + (((below >> 8 & 0xff00ff) * rest) & 0xff00ff00);
    return alphaGreen | redBlue;
}

} // namespace

LineRaster::LineRaster(QImage& image, const QRectF& clip)
    : pixels_(reinterpret_cast<QRgb*>(image.bits())),
      pitch_(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))), ratio_(image.devicePixelRatio()) {
    const QRectF scaled(clip.topLeft() * ratio_, clip.size() * ratio_);
    clip_ = scaled.toAlignedRect() & image.rect();
}

void LineRaster::draw(const QLineF& line, double width, const HeadInk& ink) {
    const QLineF scaled(line.p1() * ratio_, line.p2() * ratio_);
    if (!(scaled.dx() > 0))
        return;
    const double slope = scaled.dy() / scaled.dx();
    const double lengthOfColumn = std::hypot(1, slope);
    constexpr double level = 1e-3;
    const Stroke stroke{.x = static_cast<float>(scaled.x1()),
                        .y = static_cast<float>(scaled.y1()),
                        .slope = static_cast<float>(slope),
                        .perSlope = std::abs(slope) > level ? static_cast<float>(1 / std::abs(slope)) : 0,
                        .height = static_cast<float>(width * ratio_ * lengthOfColumn),
                        .colour = qPremultiply(ink.colour.rgba())};
    const int first = std::max(clip_.left(), static_cast<int>(std::lround(scaled.x1())));
    const int last = std::min(clip_.right(), static_cast<int>(std::lround(scaled.x2())) - 1);
    DashWalk dashes(ink.dashes, (first + 0.5 - scaled.x1()) * lengthOfColumn / ratio_);
    for (int x = first; x <= last; ++x) {
        if (dashes.isInked())
            drawColumn(x, stroke);
        dashes.advance(lengthOfColumn / ratio_);
    }
}

/// Draws the intersection with a column of pixels. The coverage of a pixel is its area between the two edges
/// of the line.
void LineRaster::drawColumn(int x, const Stroke& stroke) {
    const float left = stroke.y + (static_cast<float>(x) - stroke.x) * stroke.slope;
    const float high = std::min(left, left + stroke.slope);
    const float low = std::max(left, left + stroke.slope);
    const float half = stroke.height / 2;
    const int top = std::max(clip_.top(), static_cast<int>(std::floor(high - half)));
    const int bottom = std::min(clip_.bottom(), static_cast<int>(std::floor(low + half)));
    for (int y = top; y <= bottom; ++y) {
        const auto above = static_cast<float>(y);
        float covered = 1;
        if (above < low - half || above + 1 > high + half)
            covered = meanBetween(high + half - above, low + half - above, stroke.perSlope) -
                      meanBetween(high - half - above, low - half - above, stroke.perSlope);
        if (const auto part = static_cast<int>(covered * 256); part > 0) {
            QRgb& pixel = pixels_[y * pitch_ + x];
            pixel = over(stroke.colour, static_cast<unsigned>(std::min(part, 256)), pixel);
        }
    }
}

} // namespace headscope::widgets
