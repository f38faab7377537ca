#pragma once

#include "widgets/drawing/token_label.h"
#include "widgets/views/lens/lens_layout.h"
#include "widgets/views/lens/lens_table.h"
#include "widgets/views/lens/lens_tint.h"

#include <optional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// The drawing of a lens, shared by the grid on screen and the figure. The table must outlive it.
struct LensPicture {
    const LensTable& table;
    LensTint tint = LensTint::Probability;
    TokenLabelStyle style;
    std::optional<int> step;                 ///< column of the current step
    std::optional<int> lit;                  ///< highlighted column
    std::optional<MapCell> cursor;           ///< of the pointer or the keyboard
    std::optional<std::size_t> decoded = {}; ///< columns that an animation has reached; nullopt: all

    /// Measures the labels. Slow for long outputs.
    LensLayoutInput measured() const;
    /// Draws the part within `area` when the cells are scrolled by `offset`. Clips to `area`.
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
