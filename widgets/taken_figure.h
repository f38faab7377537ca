#pragma once

#include <QSize>

#include <functional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A view whose figure can be taken as values and drawn by another thread, as drawing it takes longer than a
/// window may stall.
class TakenFigure {
  public:
    using Draw = std::function<void(QPainter&)>;

    virtual ~TakenFigure() = default;
    /// Draws what FigureSource::drawFigure() draws now, whatever becomes of the view. Nothing where only the
    /// view itself can draw it, which then is soon done. `theme` stays.
    virtual Draw takenFigure(QSize size, const Theme& theme) const = 0;
};

} // namespace headscope::widgets
