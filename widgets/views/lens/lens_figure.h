#pragma once

#include <QRectF>
#include <QSize>
#include <QString>

#include "widgets/views/lens/lens_picture.h"

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Draws a lens on a page: all rows, and the columns in as many blocks below each other as the width of the
/// page requires, with legend and caption. The table must outlive the figure.
struct LensFigure {
    LensPicture picture;
    QString caption; ///< empty: none

    static constexpr double usualWidth = 1031;
    /// At most about `wide`, and high enough for all blocks; in units of 1/96 inch.
    QSize size(double wide = usualWidth) const;
    /// Draws into `area`, scaled down if it is smaller than size().
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    LensLayout layout() const;
    /// Includes the distance to the legend.
    double captionHeight(double width) const;
    double legendHeight() const;
};

} // namespace headscope::widgets
