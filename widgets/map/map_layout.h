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

/// What a map with token labels has to fit into. Lengths in pixels.
struct MapLayoutInput {
    QRectF area;
    int rows = 0;
    int columns = 0;
    std::vector<double> rowLabelWidths;    ///< one a row
    std::vector<double> columnLabelWidths; ///< one a column
    double lineHeight = 16;
    double longestLabel = 112; ///< longer labels are elided
    double rightMargin = 0;    ///< kept free for a colour bar
    double largestCell = 56;   ///< a short sentence does not become a chessboard
    double oblongCell = 1.8;   ///< long side : short side of a cell at most, unless the map is a ribbon
    QRectF window;             ///< visible part in cells (x = columns, y = rows); empty: all of it
};

/// Where everything of a map stands: the first row at the top, row labels at the left, column labels above,
/// slanted or upright where they need to be. Labels that would overlap are left out.
class MapLayout {
  public:
    MapLayout() = default;
    explicit MapLayout(const MapLayoutInput& input);

    /// Another part of it, in cells; empty: all. The plot stays where it is.
    void show(const QRectF& window);

    bool empty() const { return rows_ == 0 || columns_ == 0; }
    /// Where the cells are.
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

    /// Edges fall on whole pixels once a cell has four of them.
    QRectF cellRect(int row, int column) const;
    QRectF rowRect(int row) const;       ///< across the plot
    QRectF columnRect(int column) const; ///< down the plot
    /// Nothing outside of the plot.
    std::optional<MapCell> cellAt(QPointF point) const;
    /// The row or the column whose label is there, or would be if there were room for it.
    std::optional<int> rowLabelAt(QPointF point) const;
    std::optional<int> columnLabelAt(QPointF point) const;
    /// In cells, also outside of the plot.
    QPointF toCells(QPointF point) const;

    QRectF rowLabelRect(int row) const;
    /// Start of a column's label and the length it may have; the text runs from there at columnLabelAngle().
    QPointF columnLabelOrigin(int column) const;
    double columnLabelLength(int column) const;
    /// What the label covers.
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
    int wholeAngle_ = 0; ///< where all of the map is shown, as longestOfWhole_
    double lineHeight_ = 16;
    double rowLabelWidth_ = 0;
    double longestColumnLabel_ = 0;
    double longestOfWhole_ = 0;
    std::vector<double> columnLabelWidths_;
    std::vector<int> labelledRows_;
    std::vector<int> labelledColumns_;
};

/// How high turned labels of the columns are where there is room for all of them, with the gap below.
double turnedLabelsHeight(const MapLayoutInput& input);

/// `window` made `factor` times as small (zoomed in) around a point in cells, within the map and no smaller
/// than four cells.
QRectF zoomedWindow(const QRectF& window, QPointF around, double factor, int rows, int columns);
/// `window` moved by cells, within the map.
QRectF pannedWindow(const QRectF& window, QPointF by, int rows, int columns);
/// `window` moved as little as needed to show a cell.
QRectF windowShowing(const QRectF& window, MapCell cell, int rows, int columns);

} // namespace headscope::widgets
