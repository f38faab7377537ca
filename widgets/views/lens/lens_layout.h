#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "widgets/map/map_layout.h"

#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// Input of LensLayout. Lengths in pixels.
struct LensLayoutInput {
    int rows = 0;
    std::vector<double> columnWidths; ///< width of the longest label of each column
    double layerWidth = 0;            ///< of the longest layer number
    double nameWidth = 0;             ///< of the longest row name
    double lineHeight = 16;
};

/// Layout with fixed headings above and at the left, and cells that scroll. Columns are as wide as their
/// labels, within limits, and share spare width. A row has one line of text.
class LensLayout {
  public:
    LensLayout() = default;
    LensLayout(const LensLayoutInput& input, QSizeF area);

    bool isEmpty() const { return rows_ == 0 || edges_.size() < 2; }
    int rows() const { return rows_; }
    int columns() const { return static_cast<int>(edges_.size()) - 1; }
    /// Width of the layer numbers; headingWidth() adds the row names.
    double layerWidth() const { return layerWidth_; }
    double headingWidth() const { return headingWidth_; }
    double headingHeight() const { return headingHeight_; }
    double rowHeight() const { return rowHeight_; }
    /// Size of everything, headings included.
    QSizeF whole() const;

    /// Unscrolled position, relative to the corner of the headings.
    QRectF cell(MapCell cell) const;
    QRectF columnHeading(int column) const; ///< scrolls horizontally
    QRectF rowHeading(int row) const;       ///< scrolls vertically
    /// Splits the columns into blocks that, with the headings, are no wider than `width`, unless a single
    /// column is. Returns the first and last edge of each block, relative to the left of the first cell.
    std::vector<std::pair<double, double>> pieces(double width) const;
    /// Returns the cell at `place` when scrolled by `offset`; nullopt outside the cells or on a heading.
    std::optional<MapCell> cellAt(QPointF place, QPointF offset) const;
    std::optional<int> columnHeadingAt(QPointF place, QPointF offset) const;
    std::optional<int> rowHeadingAt(QPointF place, QPointF offset) const;

  private:
    std::optional<int> columnAt(double x) const; ///< relative to the left of the first cell
    std::optional<int> rowAt(double y) const;

    int rows_ = 0;
    std::vector<double> edges_; ///< of the columns, starting at 0; one more than columns
    double layerWidth_ = 0;
    double headingWidth_ = 0;
    double headingHeight_ = 0;
    double rowHeight_ = 0;
};

} // namespace headscope::widgets
