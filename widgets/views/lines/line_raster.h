#pragma once

#include <QImage>
#include <QLineF>
#include <QRectF>

#include "widgets/drawing/head_ink.h"

namespace headscope::widgets {

/// Draws smooth straight lines from left to right onto an image, ten times as fast as QPainter, which takes
/// 0.2 ms for a solid slanted line of 400 pixels: hundreds of them are drawn at once.
class LineRaster {
  public:
    /// The image has the format ARGB32_Premultiplied, outlives this and is used by nobody else meanwhile.
    /// What lies outside of `clip` is left alone. Coordinates are divided by the image's device pixel ratio,
    /// as a painter's are.
    LineRaster(QImage& image, const QRectF& clip);

    /// `ink` with its opacity, `width` wide; from end to end without caps. Lines that do not go from left to
    /// right are not drawn.
    void draw(const QLineF& line, double width, const HeadInk& ink);

  private:
    struct Stroke;
    void drawColumn(int x, const Stroke& stroke);

    QRgb* pixels_;    ///< of the image
    qsizetype pitch_; ///< pixels from one line to the next
    QRect clip_;      ///< in pixels of the image
    double ratio_ = 1;
};

} // namespace headscope::widgets
