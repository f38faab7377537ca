#include "widgets/map/number_map.h"

#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

std::vector<TokenLabel> counted(std::size_t count, int first) {
    std::vector<TokenLabel> labels(count);
    for (std::size_t i = 0; i < count; ++i)
        labels[i].text = QString::number(first + static_cast<int>(i)).replace('-', QChar(0x2212));
    return labels;
}

} // namespace

NumberMap::NumberMap(const QString& name, QWidget* parent) : QWidget(parent) {
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    teachReadersAboutMaps();
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
        window_ = isFirst && holds(window_) ? window_ : QRectF();
    }
    limit_ = limit;
    describe_ = std::move(describe);
    layout_.reset();
    keyed_.reset();
    setCursorCell(std::nullopt);
}

void NumberMap::setMarkedRows(std::vector<int> rows, bool columnsToo) {
    marked_ = std::move(rows);
    markColumns_ = columnsToo;
    layout_.reset();
    update();
}

void NumberMap::setLit(std::optional<int> row, std::optional<int> column) {
    if (row == litRow_ && column == litColumn_)
        return;
    litRow_ = row;
    litColumn_ = column;
    update();
}

MapMarks NumberMap::marks() const {
    if (cursor_)
        return {.row = cursor_->row, .column = cursor_->column};
    return {.row = litRow_, .column = litColumn_};
}

MapPicture NumberMap::picture(const Theme& theme) const {
    return {.values = trace::view(values_),
            .pyramid = &pyramid_,
            .scale = ColourScale::diverging(limit_, theme.dark),
            .rowLabels = rowLabels_,
            .columnLabels = columnLabels_};
}

MapLayout NumberMap::layOut(const MapPicture& picture, const QRectF& area) const {
    MapLayoutInput input = layoutInput(picture, {.font = font()}, area.adjusted(10, 4, -4, -4));
    input.rightMargin = colourBarWidth(picture.scale, font());
    input.window = window_;
    if (!markColumns_) // no diagonal to keep: the page is filled
        input.oblongCell = 4;
    return MapLayout(input);
}

/// Kept, because a moving pointer asks for it all the time and measuring the labels takes long.
const MapLayout& NumberMap::layout() const {
    if (!layout_)
        layout_ = layOut(picture(lightTheme()), QRectF(rect()));
    return *layout_;
}

QString NumberMap::rowName(int row) const {
    return rowLabels_.at(static_cast<std::size_t>(row)).full();
}

QString NumberMap::columnName(int column) const {
    return columnLabels_.at(static_cast<std::size_t>(column)).full();
}

QRect NumberMap::cellArea(MapCell cell) const {
    return layout().cellRect(cell.row, cell.column).toAlignedRect();
}

void NumberMap::showWindow(const QRectF& window) {
    window_ = window;
    layout_.reset();
    update();
}

bool NumberMap::holds(const QRectF& window) const {
    return values_.empty() || QRectF(0, 0, columnCount(), rowCount()).contains(window);
}

void NumberMap::setZoom(const QRectF& window) {
    const bool isPart = window.width() > 0 && window.height() > 0 && holds(window);
    showWindow(isPart ? window : QRectF());
}

void NumberMap::resizeEvent(QResizeEvent*) {
    layout_.reset();
}

void NumberMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    layout_.reset();
}

void NumberMap::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    if (isEmpty())
        return;
    const MapPicture shown = picture(theme);
    const MapLayout layout = layOut(shown, area);
    painter.setFont(font());
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, {.font = font()}, theme);
    drawColourBar(painter, layout.plot(), shown.scale, font(), theme);
    // A stripe along the axis for what belongs to the sentence.
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

void NumberMap::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (isEmpty())
        return;
    draw(painter, QRectF(rect()), theme);
    const MapPicture shown = picture(theme);
    drawMapMarks(painter, shown, layout(), marks(), {.font = font()}, theme);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void NumberMap::setCursorCell(std::optional<MapCell> cell) {
    if (cell == cursor_)
        return;
    cursor_ = cell;
    const QString words = cell && describe_ ? describe_(*cell) : QString();
    describeForReaders(this, words);
    announceCursor(this, *this);
    update();
    // Other views describe what the cursor lights in them: the cell's own words come last, but are gone
    // first.
    if (!cell)
        Q_EMIT cellDescribed(words);
    Q_EMIT cursorMoved(cell);
    if (cell)
        Q_EMIT cellDescribed(words);
}

bool NumberMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto cell = layout().cellAt(QPointF(help->pos()));
    if (cell && describe_) {
        const QRect area = layout().cellRect(cell->row, cell->column).toAlignedRect();
        QToolTip::showText(mapToGlobal(QPoint(help->pos().x(), area.bottom())),
                           plainToolTip(describe_(*cell)), this, area);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void NumberMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void NumberMap::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    if (const auto cell = layout().cellAt(event->position()); clicked && cell) {
        keyed_.reset();
        Q_EMIT cellClicked(*cell);
    }
}

void NumberMap::mouseMoveEvent(QMouseEvent* event) {
    if (dragFrom_ && !layout().empty()) {
        dragged_ = dragged_ ||
                   (event->position() - *dragFrom_).manhattanLength() >= QApplication::startDragDistance();
        if (!dragged_)
            return;
        showWindow(pannedWindow(layout().window(),
                                layout().toCells(*dragFrom_) - layout().toCells(event->position()),
                                static_cast<int>(values_.rows()), static_cast<int>(values_.columns())));
        dragFrom_ = event->position();
    }
    setCursorCell(layout().cellAt(event->position()));
}

void NumberMap::mouseDoubleClickEvent(QMouseEvent* event) {
    // Its first click has pinned something; the release to come takes that back.
    dragFrom_ = event->position();
    dragged_ = false;
    showWindow(QRectF());
}

void NumberMap::wheelEvent(QWheelEvent* event) {
    if (isEmpty() || !zooms(*event, *this)) {
        event->ignore();
        return;
    }
    showWindow(zoomedWindow(layout().window(), layout().toCells(event->position()),
                            std::pow(1.2, event->angleDelta().y() / 120.0), static_cast<int>(values_.rows()),
                            static_cast<int>(values_.columns())));
}

void NumberMap::leaveEvent(QEvent*) {
    setCursorCell(keyed_);
}

void NumberMap::keyPressEvent(QKeyEvent* event) {
    const int rows = static_cast<int>(values_.rows());
    const int columns = static_cast<int>(values_.columns());
    if (const auto moved = movedCell(*event, cursor_.value_or(MapCell{}), rows, columns)) {
        const MapCell at = cursor_ ? *moved : MapCell{}; // the first key shows where the cursor is
        showWindow(windowShowing(layout().window(), at, rows, columns));
        keyed_ = at;
        setCursorCell(at);
        return;
    }
    if (const auto window = zoomedByKey(*event, layout().window(), cursor_, rows, columns))
        return showWindow(*window);
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (cursor_)
            Q_EMIT cellClicked(*cursor_);
        return;
    case Qt::Key_Escape:
        keyed_.reset();
        setCursorCell(std::nullopt);
        event->ignore(); // and lets go of what is pinned
        return;
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
