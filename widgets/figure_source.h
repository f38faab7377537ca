#pragma once

#include <QSize>
#include <QString>

#include <functional>

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
    /// Calls `ready` once drawFigure() takes no time that a person notices, unless the view goes before or is
    /// asked again. At once where a view says nothing else.
    virtual void prepareFigure(const std::function<void()>& ready) { ready(); }
    virtual FigureText figureText() const = 0;
    /// A good size for a figure, in units of 1/96 inch.
    virtual QSize figureSize() const { return {800, 640}; }
    /// False where there is nothing to save; the window then says so instead of saving an empty page.
    virtual bool hasFigure() const = 0;
};

} // namespace headscope::widgets
