// How a person's hand moves over the map: pointer, wheel and keys.
#include "widgets/map/map_keys.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

std::optional<MapCell> HeatmapView::cellAt(QPoint position) const {
    return layout_.cellAt(QPointF(position));
}

std::optional<MapCell> HeatmapView::runCellAt(QPoint position) const {
    const auto cell = cellAt(position);
    return cell && isPerHead(options_.quantity) ? drawn_->shown.runCell(*cell) : std::nullopt;
}

TokenFocus HeatmapView::focusAt(QPointF position) const {
    if (const auto cell = layout_.cellAt(position))
        return drawn_->shown.focusOf(cell->row, cell->column);
    return drawn_->shown.focusOf(layout_.rowLabelAt(position), layout_.columnLabelAt(position));
}

std::optional<std::pair<QString, QRect>> HeatmapView::wordsAt(QPointF position) const {
    if (layout_.empty())
        return std::nullopt;
    if (const auto cell = layout_.cellAt(position))
        return std::pair(tooltip(*cell), layout_.cellRect(cell->row, cell->column).toAlignedRect());
    const auto ofAxis = [&](int index, bool isKey) {
        return std::pair(plainToolTip(isKey ? keyTooltip(index) : queryName(index)), QRect());
    };
    if (const auto row = layout_.rowLabelAt(position))
        return ofAxis(*row, drawn_->shown.transposed);
    if (const auto column = layout_.columnLabelAt(position))
        return ofAxis(*column, !drawn_->shown.transposed);
    if (showsLosses() && lossesArea(QRectF(rect()), layout_).contains(position)) {
        const QPointF middle = layout_.plot().center();
        const auto key = drawn_->shown.transposed ? layout_.cellAt(QPointF(middle.x(), position.y()))
                                                  : layout_.cellAt(QPointF(position.x(), middle.y()));
        if (key)
            return ofAxis(drawn_->shown.transposed ? key->row : key->column, true);
    }
    const Frame parts = frame(QRectF(rect()), Canvas::Window);
    if (parts.axes.contains(position))
        return std::pair(plainToolTip(axesInWords() + numbersInWords(layout_, Canvas::Window) + QChar('\n') +
                                      tr("Zoom: the wheel, with Ctrl where the page scrolls, or + and - "
                                         "around the cell. 0 shows all.")),
                         QRect());
    if (position.y() > layout_.plot().bottom()) {
        const QString words = hint(selection_->focus());
        return std::pair(plainToolTip(words.isEmpty() ? caption() : words + QChar('\n') + caption()),
                         QRect());
    }
    return std::nullopt;
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto words = wordsAt(QPointF(help->pos()));
    if (!words)
        QToolTip::hideText();
    else if (words->second.isEmpty())
        QToolTip::showText(help->globalPos(), words->first, this);
    else // under the row, so that the row can still be read
        QToolTip::showText(mapToGlobal(QPoint(help->pos().x(), words->second.bottom())), words->first, this,
                           words->second);
    return true;
}

void HeatmapView::resizeEvent(QResizeEvent*) {
    pictureChanged();
}

void HeatmapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        pictureChanged();
}

void HeatmapView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF here = event->position();
    if (dragFrom_ && !layout_.empty()) {
        dragged_ = dragged_ || (here - *dragFrom_).manhattanLength() >= QApplication::startDragDistance();
        if (dragged_) {
            const MapLayout& map = layout_;
            const QPointF by = map.toCells(*dragFrom_) - map.toCells(here);
            dragFrom_ = here;
            return look(pannedWindow(map.window(), by, rowCount(), columnCount()));
        }
    }
    selection_->setHover(focusAt(here));
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    if (!clicked)
        return;
    if (const TokenFocus there = focusAt(event->position()); !there.isEmpty())
        selection_->togglePinned(there);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
    // Its first click has pinned the cell; the release to come takes that back.
    dragFrom_ = event->position();
    dragged_ = false;
    look({});
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    if (layout_.empty() || !zooms(*event, *this)) {
        event->ignore();
        return;
    }
    const double factor = std::pow(1.2, event->angleDelta().y() / 120.0);
    look(zoomedWindow(layout_.window(), layout_.toCells(event->position()), factor, rowCount(),
                      columnCount()));
    event->accept();
}

void HeatmapView::look(const QRectF& window) {
    window_ = window;
    windowChanged();
    Q_EMIT zoomedByHand();
}

void HeatmapView::moveCursor(MapCell cell) {
    const int rows = rowCount();
    const int columns = columnCount();
    cell.row = std::clamp(cell.row, 0, rows - 1);
    cell.column = std::clamp(cell.column, 0, columns - 1);
    const QRectF showing = windowShowing(layout_.window(), cell, rows, columns);
    if (showing != layout_.window())
        look(showing);
    selection_->setCursor(drawn_->shown.focusOf(cell.row, cell.column));
    if (!isActiveWindow())
        return;
    const QRect there = layout_.cellRect(cell.row, cell.column).toAlignedRect();
    QToolTip::showText(mapToGlobal(QPoint(there.center().x(), there.bottom())), tooltip(cell), this);
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    QToolTip::hideText();
    QWidget::focusOutEvent(event);
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection_->focus().isEmpty()) {
        QToolTip::hideText();
        selection_->setCursor({});
        selection_->clearPinned();
        return;
    }
    if (layout_.empty()) {
        event->ignore();
        return;
    }
    const MapMarks lit = marks(selection_->focus());
    const MapCell at{lit.row.value_or(lit.stepRow.value_or(0)),
                     lit.column.value_or(lit.stepColumn.value_or(0))};
    const bool entering = !lit.row || !lit.column; // the first arrow shows where the cursor is
    const int page = std::max(1, static_cast<int>(layout_.window().height()) - 1);
    if (const auto moved = movedCell(*event, at, rowCount(), columnCount(), page)) {
        const bool isArrow = event->key() >= Qt::Key_Left && event->key() <= Qt::Key_Down;
        moveCursor(entering && isArrow ? at : *moved);
        return;
    }
    const auto cursor = entering ? std::nullopt : std::optional(at);
    if (const auto window = zoomedByKey(*event, layout_.window(), cursor, rowCount(), columnCount()))
        return look(*window);
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!entering)
            selection_->togglePinned(drawn_->shown.focusOf(at.row, at.column));
        return;
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
