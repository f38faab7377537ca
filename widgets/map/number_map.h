#pragma once

#include <QWidget>

#include "model/trace/matrix.h"
#include "widgets/map/accessible_map.h"
#include "widgets/map/map_marks.h"
#include "widgets/map/map_picture.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// A map whose axes count instead of naming tokens: positions by dimensions, or positions by positions.
/// Signed values on a diverging scale; zoom, pan, hover and a cell cursor as on every map.
class NumberMap : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    explicit NumberMap(const QString& name, QWidget* parent = nullptr);

    /// `limit` is the magnitude at the scale's ends; `describe` names a cell in words.
    /// The first cell is counted as `first`.
    void setMatrix(trace::Matrix values, double limit, std::function<QString(MapCell)> describe,
                   MapCell first = {});
    /// Rows (and, where columns count the same, columns) that stand out on the axes.
    void setMarkedRows(std::vector<int> rows, bool columnsToo);

    /// What other views light: a row, a column or both; the map's own cursor goes before.
    void setLit(std::optional<int> row, std::optional<int> column);

    bool isEmpty() const { return values_.empty(); }
    /// The part that is seen of it, in cells; empty: all.
    QRectF zoom() const { return window_; }
    /// Also before there is a map; all, where the map is smaller.
    void setZoom(const QRectF& window);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

    int rowCount() const override { return static_cast<int>(values_.rows()); }
    int columnCount() const override { return static_cast<int>(values_.columns()); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override { return describe_ ? describe_(cell) : QString(); }
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override { return cursor_; }

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    /// The pointer or a key has moved the cursor; nothing when it has left.
    void cursorMoved(std::optional<MapCell> cell);
    /// Click or Enter.
    void cellClicked(MapCell cell);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    MapPicture picture(const Theme& theme) const;
    MapLayout layOut(const MapPicture& picture, const QRectF& area) const;
    const MapLayout& layout() const;
    void showWindow(const QRectF& window);
    bool holds(const QRectF& window) const;
    void setCursorCell(std::optional<MapCell> cell);
    MapMarks marks() const;

    trace::Matrix values_;
    MatrixPyramid pyramid_;
    double limit_ = 1;
    MapCell first_;
    std::function<QString(MapCell)> describe_;
    std::vector<int> marked_;
    bool markColumns_ = false;
    std::vector<TokenLabel> rowLabels_;
    std::vector<TokenLabel> columnLabels_;
    QRectF window_;
    mutable std::optional<MapLayout> layout_; ///< of the widget's own area; nothing if it must be made again
    std::optional<MapCell> cursor_;
    std::optional<MapCell> keyed_; ///< where the keys are: the cursor again once the pointer has left
    std::optional<int> litRow_;
    std::optional<int> litColumn_;
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
};

} // namespace headscope::widgets
