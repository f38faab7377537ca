#include "widgets/map/map_layout.h"

#include <QtMath>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::widgets {

namespace {

constexpr double mapGap = 6;        ///< between a label and the plot
constexpr double stretchedCell = 4; ///< maximum long side : short side of small cells in flat maps

/// Returns the maximum total length of `count` cells. In the other direction a cell has the length `across`
/// and the map has the length `other`. Cells of flat maps are stretched at most until the map is square.
double longestSide(double count, double across, double other, const MapLayoutInput& input) {
    const double stretch = std::clamp(input.largestCell / across, input.oblongCell, stretchedCell);
    return std::max(count * across * input.oblongCell, std::min(count * across * stretch, other));
}

/// Returns n if every n-th label fits: labels need `needed` pixels, cells have `size` pixels.
int stride(double needed, double size) {
    return size > 0 ? std::max(1, qCeil(needed / size)) : 1;
}

std::vector<int> everyNth(double begin, double end, int count, int step) {
    std::vector<int> shown;
    for (int i = 0; i < count; i += step)
        if (i + 0.5 >= begin && i + 0.5 <= end)
            shown.push_back(i);
    return shown;
}

} // namespace

MapLayout::MapLayout(const MapLayoutInput& input)
    : rows_(input.rows), columns_(input.columns), window_(input.window), lineHeight_(input.lineHeight) {
    if (empty())
        return;
    for (const double width : input.columnLabelWidths)
        columnLabelWidths_.push_back(std::min(width, input.longestLabel));
    columnLabelWidths_.resize(columns_);
    // The plot is computed for the complete map, so that zooming does not move it.
    window_ = QRectF(0, 0, columns_, rows_);
    placePlot(input);
    wholeAngle_ = angle_;
    longestOfWhole_ = longestColumnLabel_;
    show(input.window);
}

void MapLayout::show(const QRectF& window) {
    if (empty())
        return;
    const QRectF whole(0, 0, columns_, rows_);
    window_ = window.isEmpty() ? whole : window & whole;
    angle_ = wholeAngle_;
    longestColumnLabel_ = longestOfWhole_;
    if (const double widest = widestColumnLabel(); widest + 4 <= cellSize().width()) {
        angle_ = 0;
        longestColumnLabel_ = widest;
    }
    labelledRows_ =
        everyNth(window_.top(), window_.bottom(), rows_, stride(lineHeight_, cellSize().height()));
    const double apart = angle_ == 0 ? 0 : angle_ == 45 ? slantedPitch() : lineHeight_ + 1;
    labelledColumns_ = everyNth(window_.left(), window_.right(), columns_, stride(apart, cellSize().width()));
}

/// The angle determines the remaining height, the height the width of cells, and their width the angle.
/// Therefore level labels are tried first, then slanted, then upright ones.
void MapLayout::placePlot(const MapLayoutInput& input) {
    for (const double width : input.rowLabelWidths)
        rowLabelWidth_ = std::max(rowLabelWidth_, std::min(width, input.longestLabel));
    // In a narrow view, cells get more room than labels.
    rowLabelWidth_ = std::min(rowLabelWidth_, input.area.width() * 0.35);
    const double left = rowLabelWidth_ + mapGap;
    // Few rows leave height for complete key names.
    const double labels =
        std::max(input.area.height() * 0.4, input.area.height() - window_.height() * lineHeight_ * 1.5);
    for (const int angle : {0, 45, 90}) {
        angle_ = angle;
        const double top = columnLabelHeight(labels) + mapGap;
        const double width = std::max(8.0, input.area.width() - left - input.rightMargin);
        const double height = std::max(8.0, input.area.height() - top);
        const double largest = std::max(input.largestCell, 1.0);
        const double cellHeight = std::min(height / window_.height(), largest);
        QSizeF size(0, cellHeight * window_.height());
        size.setWidth(std::min(width, longestSide(window_.width(), cellHeight, size.height(), input)));
        const double cellWidth = size.width() / window_.width();
        size.setHeight(
            std::min(size.height(), longestSide(window_.height(), cellWidth, size.width(), input)));
        if (angle != 0)
            size.rwidth() -= std::max(0.0, overhang(cellWidth) - input.rightMargin - (width - size.width()));
        size = {std::floor(std::max(4.0, size.width())), std::floor(std::max(4.0, size.height()))};
        plot_ = QRectF(std::floor(input.area.left() + left), std::floor(input.area.top() + top), size.width(),
                       size.height());
        const double cell = cellSize().width();
        if ((angle == 0 && widestColumnLabel() + 4 <= cell) || (angle == 45 && slantedPitch() <= cell))
            return;
    }
}

double MapLayout::widestColumnLabel() const {
    return *std::ranges::max_element(columnLabelWidths_);
}

/// Minimum distance of columns for slanted labels, plus a pixel, because edges are rounded.
double MapLayout::slantedPitch() const {
    return lineHeight_ * std::numbers::sqrt2 + 1;
}

/// Also sets the maximum length of labels for the room.
double MapLayout::columnLabelHeight(double room) {
    const double widest = widestColumnLabel();
    longestColumnLabel_ = widest;
    if (angle_ == 0)
        return lineHeight_;
    if (angle_ == 90)
        return longestColumnLabel_ = std::min(widest, room);
    longestColumnLabel_ = std::max(lineHeight_, std::min(widest, room * std::numbers::sqrt2 - lineHeight_));
    return (longestColumnLabel_ + lineHeight_) / std::numbers::sqrt2;
}

/// Returns how far slanted labels extend beyond the right edge of the plot.
double MapLayout::overhang(double cellWidth) const {
    double most = 0;
    for (int c = 0; c < columns_; ++c) {
        const double reach =
            angle_ == 90 ? lineHeight_ / 2 : (columnLabelLength(c) + lineHeight_) / std::numbers::sqrt2;
        if (c + 0.5 <= window_.right() && c + 0.5 >= window_.left())
            most = std::max(most, (c + 0.5 - window_.right()) * cellWidth + reach);
    }
    return most;
}

QSizeF MapLayout::cellSize() const {
    return empty() ? QSizeF() : QSizeF(plot_.width() / window_.width(), plot_.height() / window_.height());
}

bool MapLayout::showsRow(int row) const {
    return row >= 0 && row < rows_ && row + 0.5 >= window_.top() && row + 0.5 <= window_.bottom();
}

bool MapLayout::showsColumn(int column) const {
    return column >= 0 && column < columns_ && column + 0.5 >= window_.left() &&
           column + 0.5 <= window_.right();
}

double MapLayout::across(double column) const {
    const double x = plot_.left() + (column - window_.left()) * cellSize().width();
    return cellSize().width() >= 4 ? std::round(x) : x;
}

double MapLayout::down(double row) const {
    const double y = plot_.top() + (row - window_.top()) * cellSize().height();
    return cellSize().height() >= 4 ? std::round(y) : y;
}

QRectF MapLayout::cellRect(int row, int column) const {
    return QRectF(QPointF(across(column), down(row)), QPointF(across(column + 1), down(row + 1)));
}

QRectF MapLayout::rowRect(int row) const {
    return QRectF(QPointF(plot_.left(), down(row)), QPointF(plot_.right(), down(row + 1))) & plot_;
}

QRectF MapLayout::columnRect(int column) const {
    return QRectF(QPointF(across(column), plot_.top()), QPointF(across(column + 1), plot_.bottom())) & plot_;
}

QPointF MapLayout::toCells(QPointF point) const {
    return {window_.left() + (point.x() - plot_.left()) / cellSize().width(),
            window_.top() + (point.y() - plot_.top()) / cellSize().height()};
}

std::optional<MapCell> MapLayout::cellAt(QPointF point) const {
    if (empty() || point.x() < plot_.left() || point.x() >= plot_.right() || point.y() < plot_.top() ||
        point.y() >= plot_.bottom())
        return std::nullopt;
    const QPointF cells = toCells(point);
    MapCell cell{static_cast<int>(cells.y()), static_cast<int>(cells.x())};
    // Edges are rounded to pixels, so the pixel may belong to the adjacent cell.
    cell.row =
        std::clamp(cell.row + (point.y() >= down(cell.row + 1)) - (point.y() < down(cell.row)), 0, rows_ - 1);
    cell.column =
        std::clamp(cell.column + (point.x() >= across(cell.column + 1)) - (point.x() < across(cell.column)),
                   0, columns_ - 1);
    return cell;
}

std::optional<int> MapLayout::rowLabelAt(QPointF point) const {
    const auto cell = cellAt({plot_.left(), point.y()});
    const bool beside = point.x() < plot_.left() && point.x() >= plot_.left() - mapGap - rowLabelWidth_;
    return cell && beside ? std::optional(cell->row) : std::nullopt;
}

std::optional<int> MapLayout::columnLabelAt(QPointF point) const {
    const double above = plot_.top() - point.y();
    const double reach = angle_ == 0    ? lineHeight_
                         : angle_ == 45 ? (longestColumnLabel_ + lineHeight_) / std::numbers::sqrt2
                                        : longestColumnLabel_;
    if (empty() || above <= 0 || above > reach + mapGap)
        return std::nullopt;
    // Slanted labels lean to the right by as much as they rise.
    const auto cell = cellAt({angle_ == 45 ? point.x() - above : point.x(), plot_.top()});
    return cell ? std::optional(cell->column) : std::nullopt;
}

QRectF MapLayout::rowLabelRect(int row) const {
    const double middle = (down(row) + down(row + 1)) / 2;
    return {plot_.left() - mapGap - rowLabelWidth_, middle - lineHeight_ / 2, rowLabelWidth_, lineHeight_};
}

QPointF MapLayout::columnLabelOrigin(int column) const {
    const double middle = (across(column) + across(column + 1)) / 2;
    const double length = columnLabelLength(column);
    // The lower corner of a slanted label is below its centre line.
    const double drop = angle_ == 45 ? lineHeight_ / 2 / std::numbers::sqrt2 - mapGap / 2 : 0;
    return {angle_ == 0 ? middle - length / 2 : middle, plot_.top() - mapGap - drop};
}

double MapLayout::columnLabelLength(int column) const {
    return std::min(columnLabelWidths_[column], longestColumnLabel_);
}

QPolygonF MapLayout::columnLabelShape(int column) const {
    const QPointF origin = columnLabelOrigin(column);
    const double angle = -angle_ * std::numbers::pi / 180;
    const QPointF along(std::cos(angle), std::sin(angle));
    const QPointF up(along.y(), -along.x());
    // A level label is above its origin; others are centred on it.
    const QPointF foot = angle_ == 0 ? origin : origin - up * lineHeight_ / 2;
    const QPointF head = foot + up * lineHeight_;
    const QPointF run = along * columnLabelLength(column);
    return QPolygonF({foot, foot + run, head + run, head});
}

double turnedLabelsHeight(const MapLayoutInput& input) {
    double widest = 0;
    for (const double width : input.columnLabelWidths)
        widest = std::max(widest, std::min(width, input.longestLabel));
    return std::max(widest, (widest + input.lineHeight) / std::numbers::sqrt2) + mapGap; // upright or slanted
}

QRectF zoomedWindow(const QRectF& window, QPointF around, double factor, int rows, int columns) {
    const double least = 4;
    const double width =
        std::clamp(window.width() / factor, std::min<double>(least, columns), double(columns));
    const double height = std::clamp(window.height() / factor, std::min<double>(least, rows), double(rows));
    const double x = around.x() - (around.x() - window.left()) * width / window.width();
    const double y = around.y() - (around.y() - window.top()) * height / window.height();
    return pannedWindow(QRectF(x, y, width, height), {}, rows, columns);
}

QRectF pannedWindow(const QRectF& window, QPointF by, int rows, int columns) {
    const double x = std::clamp(window.left() + by.x(), 0.0, std::max(0.0, columns - window.width()));
    const double y = std::clamp(window.top() + by.y(), 0.0, std::max(0.0, rows - window.height()));
    return {x, y, window.width(), window.height()};
}

QRectF windowShowing(const QRectF& window, MapCell cell, int rows, int columns) {
    const auto shift = [](double begin, double end, double first, double last) {
        return first < begin ? first - begin : last > end ? last - end : 0.0;
    };
    const QPointF by(shift(window.left(), window.right(), cell.column, cell.column + 1),
                     shift(window.top(), window.bottom(), cell.row, cell.row + 1));
    return pannedWindow(window, by, rows, columns);
}

} // namespace headscope::widgets
