#include "widgets/map/number_map.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/map/map_marks.h"

#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

std::vector<TokenLabel> counted(std::size_t count, int first) {
    std::vector<TokenLabel> labels(count);
    for (std::size_t i = 0; i < count; ++i)
        labels[i].text = shownNumber(QString::number(first + static_cast<int>(i)));
    return labels;
}

} // namespace

NumberMap::NumberMap(const QString& name, QWidget* parent) : MapView(name, nullptr, parent) {
    setMinimumSize(160, 120);
    setProperty(zoomsByKey, true);
}

void NumberMap::setMatrix(trace::Matrix values, double limit, std::function<QString(MapCell)> describe,
                          MapCell first) {
    const bool sameShape =
        values.rows() == values_.rows() && values.columns() == values_.columns() && first == first_;
    const bool isFirst = values_.empty();
    first_ = first;
    values_ = std::move(values);
    pyramid_ = values_.empty() ? MatrixPyramid() : MatrixPyramid(trace::view(values_), nullptr);
    if (!sameShape) {
        rowLabels_ = counted(values_.rows(), first.row);
        columnLabels_ = counted(values_.columns(), first.column);
        window_ = isFirst && hasPart(window_) ? window_ : QRectF();
    }
    limit_ = limit;
    describe_ = std::move(describe);
    pictureChanged();
    selection_->setCursor({});
}

void NumberMap::setMarkedRows(std::vector<int> rows, bool columnsToo) {
    marked_ = std::move(rows);
    markColumns_ = columnsToo;
    pictureChanged();
}

void NumberMap::setLit(std::optional<int> row, std::optional<int> column) {
    if (row == litRow_ && column == litColumn_)
        return;
    litRow_ = row;
    litColumn_ = column;
    update();
}

MapPicture NumberMap::picture(const Theme& theme) const {
    return {.values = trace::view(values_),
            .pyramid = &pyramid_,
            .scale = ColourScale::diverging(limit_, theme.dark),
            .rowLabels = rowLabels_,
            .columnLabels = columnLabels_};
}

MapLayout NumberMap::layOut(const QRectF& area) const {
    const MapPicture shown = picture(lightTheme());
    MapLayoutInput input = layoutInput(shown, labelStyle(), area.adjusted(10, 4, -4, -4));
    input.rightMargin = colourBarWidth(shown.scale, font());
    input.window = window_;
    if (!markColumns_) // not square: cells may fill the area
        input.oblongCell = 4;
    return MapLayout(input);
}

void NumberMap::pictureChanged() {
    layout_ = layOut(QRectF(rect()));
    MapView::pictureChanged();
}

QString NumberMap::rowName(int row) const {
    return rowLabels_.at(row).full();
}

QString NumberMap::columnName(int column) const {
    return columnLabels_.at(column).full();
}

void NumberMap::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    painter.setFont(font());
    drawMap(painter, layOut(area), theme);
}

void NumberMap::drawMap(QPainter& painter, const MapLayout& layout, const Theme& theme) const {
    if (layout.empty())
        return;
    const MapPicture shown = picture(theme);
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, labelStyle(), theme);
    drawColourBar(painter, layout.plot(), shown.scale, font(), theme);
    // A stripe along the axis for positions of the sentence.
    for (const int index : marked_) {
        if (layout.showsRow(index)) {
            const QRectF row = layout.rowRect(index);
            painter.fillRect(QRectF(row.left() - 4, row.top(), 2, std::max(1.0, row.height())),
                             theme.stepMark);
        }
        if (markColumns_ && layout.showsColumn(index)) {
            const QRectF column = layout.columnRect(index);
            painter.fillRect(QRectF(column.left(), column.top() - 4, std::max(1.0, column.width()), 2),
                             theme.stepMark);
        }
    }
}

void NumberMap::paintStill(QPainter& painter, const Theme& theme) const {
    drawMap(painter, layout_, theme);
}

void NumberMap::paintMoving(QPainter& painter, const Theme& theme) const {
    const auto cursor = cursorCell();
    const MapMarks marks = cursor ? MapMarks{.row = cursor->row, .column = cursor->column}
                                  : MapMarks{.row = litRow_, .column = litColumn_};
    if (!isEmpty())
        drawMapMarks(painter, picture(theme), layout_, marks, labelStyle(), theme);
}

TokenFocus NumberMap::focusAt(QPointF position) const {
    const auto cell = layout_.cellAt(position);
    return cell ? focusOf(*cell) : TokenFocus();
}

MapView::Words NumberMap::wordsAt(QPointF position) const {
    const auto cell = layout_.cellAt(position);
    return cell ? Words{cellInWords(*cell), cellArea(*cell)} : Words();
}

} // namespace headscope::widgets
