#pragma once

#include <QImage>
#include <QRectF>

#include "model/trace/matrix.h"
#include "widgets/colour_scale.h"

#include <vector>

namespace headscope::widgets {

/// One pixel a cell, row 0 at the top. Null for an empty matrix.
QImage matrixImage(trace::MatrixView values, const ColourScale& scale);

/// A matrix with coarser levels of itself, so that a picture of any part costs what its pixels cost. A level
/// keeps of 2 x 2 cells the one farthest from zero and NaN before all: a hot cell never vanishes.
class MatrixPyramid {
  public:
    MatrixPyramid() = default;
    /// The first level is a look at `values`, which must outlive this. `mask` may be null: all cells are
    /// open.
    MatrixPyramid(trace::MatrixView values, const trace::MaskMatrix* mask);

    bool empty() const { return values_.empty(); }

    /// Draws `window` (in cells: x = columns, y = rows) on pixels. A pixel shows the most extreme open cell
    /// it touches; one that touches only masked cells is left to `hatch` on `background`.
    QImage image(const QRectF& window, QSize pixels, const ColourScale& scale, QRgb hatch,
                 QRgb background) const;

  private:
    struct Level {
        trace::Matrix values;
        trace::MaskMatrix open; ///< 1 where one of the cells is open; empty where all are
    };
    struct Sample {
        float value = 0;
        bool open = false;
    };
    Sample sample(std::size_t level, std::size_t row, std::size_t column) const;
    void addLevel();

    trace::MatrixView values_;
    const trace::MaskMatrix* mask_ = nullptr;
    std::vector<Level> coarser_; ///< halved once, twice ...
};

/// Which of two values stands for both: NaN, else the one farther from zero.
float moreExtreme(float one, float other);

} // namespace headscope::widgets
