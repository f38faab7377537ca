#pragma once

#include <QPointF>
#include <QRectF>

#include <optional>

namespace headscope::widgets {

/// What the two columns of tokens are laid out from. All in the picture's units.
struct LinesLayoutInput {
    QRectF area; ///< of both columns
    int queries = 0;
    int keys = 0;
    double queryLabelWidth = 0; ///< of the longest label
    double keyLabelWidth = 0;
    double numbersWidth = 0; ///< room for weights outside of either column
    double lineHeight = 0;
    bool scrolls = false; ///< rows keep room for their labels, and what does not fit lies below the area
    double scrolled = 0;  ///< how far down
};

/// Where queries (left), keys (right) and the lines between them stand. Both columns have rows of one height
/// and begin at the top.
class LinesLayout {
  public:
    LinesLayout() = default;
    explicit LinesLayout(const LinesLayoutInput& input);

    bool empty() const { return in_.queries == 0 || in_.keys == 0; }
    const QRectF& area() const { return in_.area; }
    double rowHeight() const { return rowHeight_; }
    /// How long lines are across, at least.
    double between() const { return keyEnd(0).x() - queryEnd(0).x(); }
    /// Of all rows, in sight or not.
    double contentHeight() const;

    /// A label's place, as wide as its column.
    QRectF queryRect(int query) const;
    QRectF keyRect(int key) const;
    /// Where numbers stand beside a label.
    QRectF numbersOfQuery(int query) const;
    QRectF numbersOfKey(int key) const;
    /// The ends of a line.
    QPointF queryEnd(int query) const;
    QPointF keyEnd(int key) const;

    std::optional<int> queryAt(QPointF position) const;
    std::optional<int> keyAt(QPointF position) const;
    /// One label in so many is drawn, so that none touches the next.
    int labelEvery() const { return labelEvery_; }
    /// How far down to scroll, at least and at most, for a row to be in sight.
    double scrolledToShow(int row) const;

  private:
    double top(int row) const { return in_.area.top() - in_.scrolled + row * rowHeight_; }
    std::optional<int> rowAt(QPointF position, const QRectF& first, int count) const;

    LinesLayoutInput in_;
    double rowHeight_ = 0;
    int labelEvery_ = 1;
    double queryRight_ = 0; ///< where the query labels end
    double keyLeft_ = 0;    ///< where the key labels begin
};

} // namespace headscope::widgets
