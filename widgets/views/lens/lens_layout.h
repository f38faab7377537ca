#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "widgets/map/map_layout.h"

#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// What a grid of pieces needs. Lengths in pixels.
struct LensLayoutInput {
    int rows = 0;
    std::vector<double> columnWidths; ///< of the longest label of each column
    double layerWidth = 0;            ///< of the longest number of a layer
    double nameWidth = 0;             ///< of the longest name of a row
    double lineHeight = 16;
};

/// Headings above and at the left, which stay where they are, and cells that are scrolled past them. Columns
/// are as wide as their labels, within bounds, and share what is left over; a row has one line.
class LensLayout {
  public:
    LensLayout() = default;
    LensLayout(const LensLayoutInput& input, QSizeF area);

    bool isEmpty() const { return rows_ == 0 || edges_.size() < 2; }
    int rows() const { return rows_; }
    int columns() const { return static_cast<int>(edges_.size()) - 1; }
    /// The headings at the left: numbers of layers, then names of rows.
    double layerWidth() const { return layerWidth_; }
    double headingWidth() const { return headingWidth_; }
    double headingHeight() const { return headingHeight_; }
    double rowHeight() const { return rowHeight_; }
    /// Everything, headings included.
    QSizeF whole() const;

    /// Before scrolling, from the corner of the headings.
    QRectF cell(MapCell cell) const;
    QRectF columnHeading(int column) const; ///< moves sideways
    QRectF rowHeading(int row) const;       ///< moves up and down
    /// Where the columns can be cut, so that each piece with the headings is no wider than `width`, if a
    /// column is not: first and last edge of each, from the left of the first cell.
    std::vector<std::pair<double, double>> pieces(double width) const;
    /// What is at a place of the picture, scrolled by `offset`; nothing outside, or where a heading lies
    /// over.
    std::optional<MapCell> cellAt(QPointF place, QPointF offset) const;
    std::optional<int> columnHeadingAt(QPointF place, QPointF offset) const;
    std::optional<int> rowHeadingAt(QPointF place, QPointF offset) const;

  private:
    std::optional<int> columnAt(double x) const; ///< from the left of the first cell
    std::optional<int> rowAt(double y) const;

    int rows_ = 0;
    std::vector<double> edges_; ///< of the columns, from 0; one more than there are
    double layerWidth_ = 0;
    double headingWidth_ = 0;
    double headingHeight_ = 0;
    double rowHeight_ = 0;
};

} // namespace headscope::widgets
