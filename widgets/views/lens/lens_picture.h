#pragma once

#include "widgets/drawing/token_label.h"
#include "widgets/views/lens/lens_layout.h"
#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

#include <optional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A lens as it is drawn: by the grid on the screen, and whole on a page. Looks at a table that somebody else
/// keeps alive.
struct LensPicture {
    const LensTable& table;
    LensTint tint = LensTint::Probability;
    TokenLabelStyle style;
    std::optional<int> step;                 ///< the column of the current step
    std::optional<int> lit;                  ///< a column that is looked at somewhere
    std::optional<MapCell> cursor;           ///< under the pointer or the keys
    std::optional<std::size_t> decoded = {}; ///< columns that a film has come to; nothing: all

    /// What it needs, whatever the area: takes a while for long decodes.
    LensLayoutInput measured() const;
    /// What is in sight of `area` when the cells are scrolled by `offset`. The painter is clipped to it.
    void draw(QPainter& painter, QSizeF area, const LensLayout& layout, QPointF offset,
              const Theme& theme) const;

    bool hasColumn(int column) const { return !decoded || static_cast<std::size_t>(column) < *decoded; }

  private:
    void drawCorner(QPainter& painter, const LensLayout& layout, const Theme& theme) const;
    void drawCells(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                   const Theme& theme) const;
    void drawCell(QPainter& painter, const QRectF& area, MapCell cell, const Theme& theme) const;
    void drawMarks(QPainter& painter, const LensLayout& layout, const Theme& theme) const;
    void drawColumnHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                            const Theme& theme) const;
    void drawRowHeadings(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                         const Theme& theme) const;
    void drawLayers(QPainter& painter, const LensLayout& layout, const QRectF& sight,
                    const Theme& theme) const;
};

} // namespace headscope::widgets
