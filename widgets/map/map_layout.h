#pragma once

#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headscope::widgets {

/// A cell of a map: query row and key column, from 0.
struct MapCell {
    int row = 0;
    int column = 0;
    friend bool operator==(const MapCell&, const MapCell&) = default;
};

/// Input of MapLayout. Lengths in pixels.
struct MapLayoutInput {
    QRectF area;
    int rows = 0;
    int columns = 0;
    std::vector<double> rowLabelWidths;    ///< per row
    std::vector<double> columnLabelWidths; ///< per column
    double lineHeight = 16;
    double longestLabel = 112; ///< longer labels are elided
    double rightMargin = 0;    ///< kept free for a colour bar
    double largestCell = 56;   ///< maximum side of a cell
    double oblongCell = 1.8;   ///< maximum long side : short side of a cell, except in very flat maps
    QRectF window;             ///< visible part in cells (x = columns, y = rows); empty: all of it
};

/// Positions of the parts of a map: the first row at the top, row labels at the left, column labels above,
/// level, slanted or upright. Labels that would overlap are omitted.
class MapLayout {
  public:
    MapLayout() = default;
    explicit MapLayout(const MapLayoutInput& input);

    /// Sets the visible part in cells; empty: all. The plot does not move.
    void show(const QRectF& window);

    bool empty() const { return rows_ == 0 || columns_ == 0; }
    /// Area of the cells.
    QRectF plot() const { return plot_; }
    /// Visible part in cells.
    QRectF window() const { return window_; }
    /// 0 (level), 45 or 90 degrees.
    int columnLabelAngle() const { return angle_; }
    QSizeF cellSize() const;

    const std::vector<int>& labelledRows() const { return labelledRows_; }
    const std::vector<int>& labelledColumns() const { return labelledColumns_; }
    bool showsRow(int row) const;
    bool showsColumn(int column) const;

    /// Edges are at whole pixels if cells have at least four pixels.
    QRectF cellRect(int row, int column) const;
    QRectF rowRect(int row) const;       ///< as wide as the plot
    QRectF columnRect(int column) const; ///< as high as the plot
    /// Returns nothing outside of the plot.
    std::optional<MapCell> cellAt(QPointF point) const;
    /// Returns the row or column of the label at a point, including omitted labels.
    std::optional<int> rowLabelAt(QPointF point) const;
    std::optional<int> columnLabelAt(QPointF point) const;
    /// Converts a point to cells, also outside of the plot.
    QPointF toCells(QPointF point) const;

    QRectF rowLabelRect(int row) const;
    /// Start and maximum length of a column's label, whose direction is columnLabelAngle().
    QPointF columnLabelOrigin(int column) const;
    double columnLabelLength(int column) const;
    /// Outline of the label.
    QPolygonF columnLabelShape(int column) const;

  private:
    double across(double column) const;
    double down(double row) const;
    void placePlot(const MapLayoutInput& input);
    double columnLabelHeight(double room);
    double overhang(double cellWidth) const;
    double slantedPitch() const;
    double widestColumnLabel() const;

    int rows_ = 0;
    int columns_ = 0;
    QRectF plot_;
    QRectF window_;
    int angle_ = 0;
    int wholeAngle_ = 0; ///< angle_ if the complete map is visible; likewise longestOfWhole_
    double lineHeight_ = 16;
    double rowLabelWidth_ = 0;
    double longestColumnLabel_ = 0;
    double longestOfWhole_ = 0;
    std::vector<double> columnLabelWidths_;
    std::vector<int> labelledRows_;
    std::vector<int> labelledColumns_;
};

/// Returns the height of slanted or upright column labels that are not elided, with the gap below.
double turnedLabelsHeight(const MapLayoutInput& input);

/// Returns `window` scaled by 1 / `factor` around a point in cells, within the map and at least four cells
/// large.
QRectF zoomedWindow(const QRectF& window, QPointF around, double factor, int rows, int columns);
/// Returns `window` moved by cells, within the map.
QRectF pannedWindow(const QRectF& window, QPointF by, int rows, int columns);
/// Returns `window` moved as little as needed to show a cell.
QRectF windowShowing(const QRectF& window, MapCell cell, int rows, int columns);

} // namespace headscope::widgets
