#pragma once

#include <QImage>
#include <QLineF>
#include <QRectF>

#include "widgets/drawing/head_ink.h"

namespace headscope::widgets {

/// Draws antialiased straight lines onto an image, ten times as fast as QPainter, which needs 0.2 ms for a
/// solid slanted line of 400 pixels: a picture has hundreds of lines.
class LineRaster {
  public:
    /// `image` must have the format ARGB32_Premultiplied, outlive this object and not be used by others
    /// meanwhile. Draws only within `clip`. Coordinates are divided by the device pixel ratio of the image,
    /// as a painter's are.
    LineRaster(QImage& image, const QRectF& clip);

    /// Draws with the opacity of `ink`, `width` wide, without caps. Ignores lines that do not go from left to
    /// right.
    void draw(const QLineF& line, double width, const HeadInk& ink);

  private:
    struct Stroke;
    void drawColumn(int x, const Stroke& stroke);

    QRgb* pixels_;    ///< of the image
    qsizetype pitch_; ///< pixels per row
    QRect clip_;      ///< in pixels of the image
    double ratio_ = 1;
};

} // namespace headscope::widgets
