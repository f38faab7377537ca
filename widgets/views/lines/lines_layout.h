#pragma once

#include <QPointF>
#include <QRectF>

#include <optional>

namespace headscope::widgets {

/// Input of LinesLayout, in the units of the picture.
struct LinesLayoutInput {
    QRectF area; ///< of both columns, with numbers and lines
    int queries = 0;
    int keys = 0;
    double queryLabelWidth = 0; ///< of the longest label
    double keyLabelWidth = 0;
    double numbersWidth = 0; ///< room for weights next to each column
    double lineHeight = 0;
    bool scrolls = false; ///< rows are never lower than their labels, and may extend below the area
    double scrolled = 0;  ///< scrolled distance
};

/// Positions of queries (left), keys (right) and the lines between them. The rows of both columns have the
/// same height and start at the top.
class LinesLayout {
  public:
    LinesLayout() = default;
    explicit LinesLayout(const LinesLayoutInput& input);

    bool empty() const { return in_.queries == 0 || in_.keys == 0; }
    const QRectF& area() const { return in_.area; }
    double rowHeight() const { return rowHeight_; }
    /// Horizontal length of a line.
    double between() const { return keyEnd(0).x() - queryEnd(0).x(); }
    /// Height of all rows, visible or not.
    double contentHeight() const { return rowHeight_ * std::max(in_.queries, in_.keys); }

    /// Area of a label, as wide as its column.
    QRectF queryRect(int query) const;
    QRectF keyRect(int key) const { return {keyLeft_, top(key), in_.keyLabelWidth, rowHeight_}; }
    /// Area of the number next to a label.
    QRectF numbersOfQuery(int query) const;
    QRectF numbersOfKey(int key) const;
    /// End points of a line.
    QPointF queryEnd(int query) const;
    QPointF keyEnd(int key) const;

    std::optional<int> queryAt(QPointF position) const;
    std::optional<int> keyAt(QPointF position) const;
    /// Every labelEvery()-th label is drawn, so that labels do not touch.
    int labelEvery() const { return labelEvery_; }
    /// Returns the scrolled distance closest to the current one at which `row` is visible.
    double scrolledToShow(int row) const;

  private:
    double top(int row) const { return in_.area.top() - in_.scrolled + row * rowHeight_; }
    std::optional<int> rowAt(QPointF position, const QRectF& first, int count) const;

    LinesLayoutInput in_;
    double rowHeight_ = 0;
    int labelEvery_ = 1;
    double queryRight_ = 0; ///< right edge of the query labels
    double keyLeft_ = 0;    ///< left edge of the key labels
};

} // namespace headscope::widgets
