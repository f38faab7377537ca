#include "widgets/views/lens/lens_layout.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double lensLayoutPadding = 5;
constexpr double mostHeadings = 0.4; ///< fraction of the width; longer names are elided
constexpr double lensMostStretched = 1.6;

} // namespace

LensLayout::LensLayout(const LensLayoutInput& input, QSizeF area) : rows_(input.rows) {
    layerWidth_ = std::ceil(input.layerWidth) + 2 * lensLayoutPadding;
    headingWidth_ =
        std::ceil(std::min(layerWidth_ + input.nameWidth + 2 * lensLayoutPadding,
                           std::max(layerWidth_ + 2 * input.lineHeight, area.width() * mostHeadings)));
    headingHeight_ = std::ceil(input.lineHeight) + 6;
    std::vector<double> widths;
    double sum = 0;
    for (const double label : input.columnWidths) {
        widths.push_back(
            std::clamp(label + 2 * lensLayoutPadding, 2.5 * input.lineHeight, 7 * input.lineHeight));
        sum += widths.back();
    }
    const double stretch =
        std::clamp((area.width() - headingWidth_) / std::max(1.0, sum), 1.0, lensMostStretched);
    edges_.push_back(0);
    double edge = 0;
    for (const double width : widths) {
        edge += width * stretch;
        edges_.push_back(std::floor(edge));
    }
    const double lowest = std::ceil(input.lineHeight) + 5;
    const double room = (area.height() - headingHeight_) / std::max(1, rows_);
    rowHeight_ = std::floor(std::clamp(room, lowest, lensMostStretched * lowest));
}

QSizeF LensLayout::whole() const {
    return isEmpty() ? QSizeF() : QSizeF(headingWidth_ + edges_.back(), headingHeight_ + rows_ * rowHeight_);
}

QRectF LensLayout::cell(MapCell cell) const {
    const std::size_t column = cell.column;
    return {headingWidth_ + edges_.at(column), headingHeight_ + cell.row * rowHeight_,
            edges_.at(column + 1) - edges_.at(column), rowHeight_};
}

QRectF LensLayout::columnHeading(int column) const {
    const QRectF first = cell({0, column});
    return {first.left(), 0, first.width(), headingHeight_};
}

QRectF LensLayout::rowHeading(int row) const {
    return {0, headingHeight_ + row * rowHeight_, headingWidth_, rowHeight_};
}

std::vector<std::pair<double, double>> LensLayout::pieces(double width) const {
    std::vector<std::pair<double, double>> pieces;
    for (std::size_t column = 1; column < edges_.size(); ++column) {
        const bool hasRoom = !pieces.empty() && headingWidth_ + edges_[column] - pieces.back().first <= width;
        if (!hasRoom)
            pieces.emplace_back(edges_[column - 1], edges_[column]);
        pieces.back().second = edges_[column];
    }
    return pieces;
}

std::optional<int> LensLayout::columnAt(double x) const {
    const auto next = std::ranges::upper_bound(edges_, x);
    if (isEmpty() || next == edges_.begin() || next == edges_.end())
        return std::nullopt;
    return static_cast<int>(next - edges_.begin()) - 1;
}

std::optional<int> LensLayout::rowAt(double y) const {
    const int row = static_cast<int>(std::floor(y / std::max(1.0, rowHeight_)));
    return y >= 0 && row < rows_ ? std::optional(row) : std::nullopt;
}

std::optional<MapCell> LensLayout::cellAt(QPointF place, QPointF offset) const {
    if (place.x() < headingWidth_ || place.y() < headingHeight_)
        return std::nullopt;
    const auto column = columnAt(place.x() - headingWidth_ + offset.x());
    const auto row = rowAt(place.y() - headingHeight_ + offset.y());
    return column && row ? std::optional(MapCell{*row, *column}) : std::nullopt;
}

std::optional<int> LensLayout::columnHeadingAt(QPointF place, QPointF offset) const {
    const bool there = place.y() >= 0 && place.y() < headingHeight_ && place.x() >= headingWidth_;
    return there ? columnAt(place.x() - headingWidth_ + offset.x()) : std::nullopt;
}

std::optional<int> LensLayout::rowHeadingAt(QPointF place, QPointF offset) const {
    const bool there = place.x() >= 0 && place.x() < headingWidth_ && place.y() >= headingHeight_;
    return there ? rowAt(place.y() - headingHeight_ + offset.y()) : std::nullopt;
}

} // namespace headscope::widgets
