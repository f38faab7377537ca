#pragma once

#include <QRectF>
#include <QSize>
#include <QString>

#include "widgets/views/lens/lens_picture.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A lens drawn for a page: all its rows, and its columns in as many pieces below each other as a page's
/// width makes of them, with legend and caption. Looks at a table that somebody else keeps alive.
struct LensFigure {
    LensPicture picture;
    QString caption; ///< empty: none

    static constexpr double usualWidth = 1031;
    /// About `wide` at most, and as high as its pieces need; in units of 1/96 inch.
    QSize size(double wide = usualWidth) const;
    /// In pieces for this area; smaller where there is less room than their size().
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    LensLayout layout() const;
    /// With the distance to the legend.
    double captionHeight(double width) const;
    double legendHeight() const;
};

} // namespace headscope::widgets
