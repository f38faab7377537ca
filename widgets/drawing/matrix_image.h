#pragma once

#include <QImage>
#include <QRectF>

#include "model/trace/matrix.h"
#include "widgets/drawing/colour_scale.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace headscope::widgets {

/// One pixel a cell, row 0 at the top. Null for an empty matrix.
QImage matrixImage(trace::MatrixView values, const ColourScale& scale);

/// Which of several cells stands for all, NaN before any.
enum class Pooling {
    Extreme, ///< the one farthest from zero: of weights, and of differences
    Largest, ///< of scores, the largest of which gets the weight
};

/// Draws `window` (in cells: x = columns, y = rows) on pixels. A pixel shows one of the open cells it
/// touches, as `pooling` says: a hot cell never vanishes. A pixel that touches only masked cells is left to
/// slanted lines of `hatch` on `background`. `mask` may be null: all cells are open.
QImage pooledImage(trace::MatrixView values, const trace::MaskMatrix* mask, const QRectF& window,
                   QSize pixels, const ColourScale& scale, QRgb hatch, QRgb background,
                   Pooling pooling = Pooling::Extreme);

/// A matrix with coarser levels of itself, so that a picture of any part costs what its pixels cost. A level
/// pools 2 x 2 cells as a pixel does.
class MatrixPyramid {
  public:
    MatrixPyramid() = default;
    /// The first level is a look at `values` and `mask`, which outlive this.
    MatrixPyramid(trace::MatrixView values, const trace::MaskMatrix* mask,
                  Pooling pooling = Pooling::Extreme);

    /// As pooledImage.
    QImage image(const QRectF& window, QSize pixels, const ColourScale& scale, QRgb hatch,
                 QRgb background) const;

  private:
    struct Level {
        trace::Matrix values;
        trace::MaskMatrix open; ///< 1 where one of the cells is open
    };

    trace::MatrixView values_;
    const trace::MaskMatrix* mask_ = nullptr;
    Pooling pooling_ = Pooling::Extreme;
    std::vector<Level> coarser_; ///< halved once, twice ...
};

/// Which of two values stands for both: NaN, else the one farther from zero, else the first. Without their
/// sign, the bits of floating-point numbers are ordered as their magnitudes are, NaN above all.
inline float moreExtreme(float one, float other) {
    const auto magnitude = [](float value) { return std::bit_cast<std::int32_t>(value) & 0x7fffffff; };
    return magnitude(other) > magnitude(one) ? other : one;
}

/// The same: NaN, else the larger one.
inline float larger(float one, float other) {
    return (other > one) | (other != other) ? other : one;
}

inline float pooledOf(float one, float other, Pooling pooling) {
    return pooling == Pooling::Largest ? larger(one, other) : moreExtreme(one, other);
}

} // namespace headscope::widgets
