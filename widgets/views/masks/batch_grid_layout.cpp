#include "widgets/views/masks/batch_grid_layout.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr double batchGridGap = 8; ///< between sentences and between lines
constexpr double hair = 2;         ///< between cells

} // namespace

BatchGridLayout::BatchGridLayout(const BatchGridInput& input)
    : input_(input), sentences_(input.sentences),
      rows_(input.targetWidths.empty() ? input.sentences : 3 * input.sentences),
      cellHeight_(input.lineHeight + 6) {
    double top = 0;
    addLines(true, input.sourceWidths, top);
    if (!input.targetWidths.empty()) {
        top += batchGridGap;
        addLines(false, input.targetWidths, top);
    }
    height_ = top;
}

void BatchGridLayout::addLines(bool source, const std::vector<double>& widths, double& top) {
    auto& lefts = source ? sourceLefts_ : targetLefts_;
    const double rowsHigh = source ? sentences_ * (cellHeight_ + hair)
                                   : sentences_ * (2 * cellHeight_ + hair) + (sentences_ - 1) * batchGridGap;
    const double room = input_.width - input_.nameWidth;
    const int count = widths.size();
    for (int first = 0; first < count;) {
        double left = 0;
        int last = first;
        while (last < count && (last == first || left + widths[last] <= room)) {
            lefts.push_back(input_.nameWidth + left);
            left += widths[last] + hair;
            ++last;
        }
        lines_.push_back({.source = source, .first = first, .last = last, .top = top});
        top += input_.lineHeight + rowsHigh + batchGridGap;
        first = last;
    }
}

int BatchGridLayout::columnsOf(int row) const {
    return isSource(row) ? input_.sourceWidths.size() : input_.targetWidths.size();
}

int BatchGridLayout::sentenceOf(int row) const {
    return isSource(row) ? row : (row - sentences_) / 2;
}

const BatchGridLayout::Line* BatchGridLayout::lineOf(int row, int column) const {
    for (const Line& line : lines_)
        if (line.source == isSource(row) && column >= line.first && column < line.last)
            return &line;
    return nullptr;
}

double BatchGridLayout::offset(int row) const {
    const double below = input_.lineHeight;
    if (isSource(row))
        return below + row * (cellHeight_ + hair);
    return below + sentenceOf(row) * (2 * cellHeight_ + hair + batchGridGap) +
           (isLabel(row) ? cellHeight_ : 0);
}

QRectF BatchGridLayout::cellRect(int row, int column) const {
    const Line* line = row >= 0 && row < rows_ ? lineOf(row, column) : nullptr;
    if (!line)
        return {};
    const std::size_t at = column;
    const auto& widths = isSource(row) ? input_.sourceWidths : input_.targetWidths;
    const auto& lefts = isSource(row) ? sourceLefts_ : targetLefts_;
    const double width = std::min(widths[at], std::max(1.0, input_.width - lefts[at]));
    return {lefts[at], line->top + offset(row), width, cellHeight_};
}

QRectF BatchGridLayout::positionRect(int row, int column) const {
    const QRectF cell = cellRect(row, column);
    const Line* line = lineOf(row, column);
    return line ? QRectF(cell.left(), line->top, cell.width(), input_.lineHeight) : QRectF();
}

std::vector<QRectF> BatchGridLayout::nameRects(int row) const {
    std::vector<QRectF> rects;
    for (const Line& line : lines_)
        if (line.source == isSource(row))
            rects.emplace_back(0, line.top + offset(row), input_.nameWidth, cellHeight_);
    return rects;
}

std::optional<MapCell> BatchGridLayout::cellAt(QPointF point) const {
    for (int row = 0; row < rows_; ++row)
        for (int column = 0; column < columnsOf(row); ++column)
            if (cellRect(row, column).contains(point))
                return MapCell{row, column};
    return std::nullopt;
}

} // namespace headscope::widgets
