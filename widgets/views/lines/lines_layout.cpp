#include "widgets/views/lines/lines_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double linesGap = 8; ///< between a label and its lines
constexpr double widestBetween = 520;
constexpr double narrowestBetween = 64;

} // namespace

LinesLayout::LinesLayout(const LinesLayoutInput& input) : in_(input) {
    if (empty())
        return;
    const double tallest = 2.2 * in_.lineHeight;
    const double lowest = in_.scrolls ? 1.15 * in_.lineHeight : 0;
    const double fitting = in_.area.height() / std::max(in_.queries, in_.keys);
    rowHeight_ = std::clamp(fitting, std::min(lowest, tallest), tallest);
    labelEvery_ = std::max(1, static_cast<int>(std::ceil(in_.lineHeight / rowHeight_ - 0.01)));

    const double forLabels =
        std::max(0.0, (in_.area.width() - narrowestBetween - 2 * (linesGap + in_.numbersWidth)) / 2);
    in_.queryLabelWidth = std::min(in_.queryLabelWidth, forLabels);
    in_.keyLabelWidth = std::min(in_.keyLabelWidth, forLabels);
    const double labels = in_.queryLabelWidth + in_.keyLabelWidth + 2 * (linesGap + in_.numbersWidth);
    const double between = std::clamp(in_.area.width() - labels, narrowestBetween, widestBetween);
    const double left = in_.area.left() + std::max(0.0, (in_.area.width() - labels - between) / 2);
    queryRight_ = left + in_.numbersWidth + in_.queryLabelWidth;
    keyLeft_ = queryRight_ + 2 * linesGap + between;
}

QRectF LinesLayout::queryRect(int query) const {
    return {queryRight_ - in_.queryLabelWidth, top(query), in_.queryLabelWidth, rowHeight_};
}

QRectF LinesLayout::numbersOfQuery(int query) const {
    const QRectF label = queryRect(query);
    return {label.left() - in_.numbersWidth, label.top(), in_.numbersWidth, rowHeight_};
}

QRectF LinesLayout::numbersOfKey(int key) const {
    const QRectF label = keyRect(key);
    return {label.right(), label.top(), in_.numbersWidth, rowHeight_};
}

QPointF LinesLayout::queryEnd(int query) const {
    return {queryRight_ + linesGap, top(query) + rowHeight_ / 2};
}

QPointF LinesLayout::keyEnd(int key) const {
    return {keyLeft_ - linesGap, top(key) + rowHeight_ / 2};
}

std::optional<int> LinesLayout::rowAt(QPointF position, const QRectF& first, int count) const {
    if (!in_.area.contains(position) || position.x() < first.left() || position.x() > first.right())
        return std::nullopt;
    const int row = static_cast<int>(std::floor((position.y() - first.top()) / rowHeight_));
    return row >= 0 && row < count ? std::optional(row) : std::nullopt;
}

// The hit area of a label includes its number and extends to its lines.

std::optional<int> LinesLayout::queryAt(QPointF position) const {
    return empty() ? std::nullopt
                   : rowAt(position, queryRect(0).adjusted(-in_.numbersWidth, 0, linesGap, 0), in_.queries);
}

std::optional<int> LinesLayout::keyAt(QPointF position) const {
    return empty() ? std::nullopt
                   : rowAt(position, keyRect(0).adjusted(-linesGap, 0, in_.numbersWidth, 0), in_.keys);
}

double LinesLayout::scrolledToShow(int row) const {
    const double above = row * rowHeight_;
    const double below = above + rowHeight_ - in_.area.height();
    return std::clamp(in_.scrolled, std::min(below, above), above);
}

} // namespace headscope::widgets
