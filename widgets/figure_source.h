#pragma once

#include <QSize>
#include <QString>

class QPainter;

namespace headscope::widgets {

/// What a saved figure says about itself, in its metadata.
struct FigureText {
    QString title;      ///< such as "cross.2.5"
    QString caption;    ///< the sentence under the picture
    QString provenance; ///< model and sentence
};

/// A view that can be saved. The figure is drawn by the same functions as the screen, on a light background
/// because it goes on paper, without the pointer's marks.
class FigureSource {
  public:
    virtual ~FigureSource() = default;

    /// Draws on (0, 0) to `size`, in units of 1/96 inch.
    virtual void drawFigure(QPainter& painter, QSize size) const = 0;
    virtual FigureText figureText() const = 0;
    /// A good size for a figure, in units of 1/96 inch.
    virtual QSize figureSize() const { return {800, 640}; }
    /// False where there is nothing to save; the window then says so instead of saving an empty page.
    virtual bool hasFigure() const = 0;
};

} // namespace headscope::widgets
