#pragma once

#include <QImage>
#include <QRectF>

#include "model/trace/matrix.h"
#include "widgets/drawing/colour_scale.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace headscope::widgets {

/// Returns an image with one pixel per cell, row 0 at the top; null for an empty matrix.
QImage matrixImage(trace::MatrixView values, const ColourScale& scale);

/// Which of several cells a pixel shows. NaN takes precedence.
enum class Pooling {
    Extreme, ///< the one farthest from zero: for weights and differences
    Largest, ///< the largest: for scores, because it gets the most weight
};

/// Draws `window` (in cells: x = columns, y = rows) as `pixels`. A pixel shows one of the allowed cells it
/// covers, chosen by `pooling`, so that an outlier never disappears. Pixels that cover only masked cells show
/// slanted lines of `hatch` on `background`. Null `mask`: all cells are allowed.
QImage pooledImage(trace::MatrixView values, const trace::MaskMatrix* mask, const QRectF& window,
                   QSize pixels, const ColourScale& scale, QRgb hatch, QRgb background,
                   Pooling pooling = Pooling::Extreme);

/// A matrix with coarser levels of itself, so that drawing any part takes time proportional to the pixels
/// drawn. Each level pools 2 x 2 cells like pooledImage().
class MatrixPyramid {
  public:
    MatrixPyramid() = default;
    /// Keeps references to `values` and `mask`, which must outlive this object.
    MatrixPyramid(trace::MatrixView values, const trace::MaskMatrix* mask,
                  Pooling pooling = Pooling::Extreme);

    /// Like pooledImage().
    QImage image(const QRectF& window, QSize pixels, const ColourScale& scale, QRgb hatch,
                 QRgb background) const;

  private:
    struct Level {
        trace::Matrix values;
        trace::MaskMatrix open; ///< 1 if at least one of the pooled cells is allowed
    };

    trace::MatrixView values_;
    const trace::MaskMatrix* mask_ = nullptr;
    Pooling pooling_ = Pooling::Extreme;
    std::vector<Level> coarser_; ///< halved once, twice, ...
};

/// Returns NaN if one of the values is NaN, else the one farther from zero, else the first. Compares bit
/// patterns: without the sign bit, floating-point numbers sort by magnitude, and NaN above all.
inline float moreExtreme(float one, float other) {
    const auto magnitude = [](float value) { return std::bit_cast<std::int32_t>(value) & 0x7fffffff; };
    return magnitude(other) > magnitude(one) ? other : one;
}

/// Returns NaN if one of the values is NaN, else the larger.
inline float larger(float one, float other) {
    return (other > one) | (other != other) ? other : one;
}

inline float pooledOf(float one, float other, Pooling pooling) {
    return pooling == Pooling::Largest ? larger(one, other) : moreExtreme(one, other);
}

} // namespace headscope::widgets
