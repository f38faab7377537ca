// How a person's hand moves over the map: pointer, wheel and keys.
#include "widgets/heatmap_view.h"
#include "widgets/map_keys.h"
#include "widgets/plain_text.h"

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

QString HeatmapView::tooltip(MapCell cell) const {
    QString words = cellInWords(cell) + QChar('\n') +
                    tr("Row %1, column %2 of the map; in %3 layers and heads count from 0.")
                        .arg(cell.row + 1)
                        .arg(cell.column + 1)
                        .arg(QString::fromStdString(trace::toString(head())));
    return plainToolTip(words);
}

TokenFocus HeatmapView::focusAt(QPointF position) const {
    const auto kind = head().site.kind;
    if (const auto cell = layout_.cellAt(position))
        return TokenFocus::cell(kind, cell->row, cell->column);
    return TokenFocus::cell(kind, layout_.rowLabelAt(position), layout_.columnLabelAt(position));
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF here(help->pos());
    const auto kind = head().site.kind;
    if (const auto cell = layout_.cellAt(here)) {
        // Under the row, so that the row can still be read.
        const QRect area = layout_.cellRect(cell->row, cell->column).toAlignedRect();
        QToolTip::showText(mapToGlobal(QPoint(help->pos().x(), area.bottom())), tooltip(*cell), this, area);
    } else if (const auto row = layout_.rowLabelAt(here)) {
        QToolTip::showText(help->globalPos(), plainToolTip(queryInWords(*run_, kind, *row)), this);
    } else if (const auto column = layout_.columnLabelAt(here)) {
        QToolTip::showText(help->globalPos(), plainToolTip(keyInWords(*run_, kind, *column)), this);
    } else if (!layout_.empty() && frame(QRectF(rect())).axes.contains(here)) {
        QToolTip::showText(help->globalPos(), plainToolTip(axesInWords()), this);
    } else {
        QToolTip::hideText();
    }
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
            window_ = pannedWindow(map.window(), map.toCells(*dragFrom_) - map.toCells(here),
                                   static_cast<int>(values().rows()), static_cast<int>(values().columns()));
            dragFrom_ = here;
            pictureChanged();
            return;
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
    fit();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    if (layout_.empty() || event->angleDelta().y() == 0) {
        event->ignore();
        return;
    }
    const double factor = std::pow(1.2, event->angleDelta().y() / 120.0);
    window_ = zoomedWindow(layout_.window(), layout_.toCells(event->position()), factor,
                           static_cast<int>(values().rows()), static_cast<int>(values().columns()));
    pictureChanged();
    event->accept();
}

void HeatmapView::moveCursor(MapCell cell) {
    const int rows = static_cast<int>(values().rows());
    const int columns = static_cast<int>(values().columns());
    cell.row = std::clamp(cell.row, 0, rows - 1);
    cell.column = std::clamp(cell.column, 0, columns - 1);
    const QRectF showing = windowShowing(layout_.window(), cell, rows, columns);
    if (showing != layout_.window()) {
        window_ = showing;
        pictureChanged();
    }
    selection_->setHover(TokenFocus::cell(head().site.kind, cell.row, cell.column));
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !selection_->focus().isEmpty()) {
        selection_->setHover({});
        selection_->clearPinned();
        return;
    }
    if (layout_.empty()) {
        event->ignore();
        return;
    }
    const MapMarks lit = marks();
    const MapCell at{lit.row.value_or(lit.stepRow.value_or(0)), lit.column.value_or(0)};
    const bool entering = !lit.row || !lit.column; // the first arrow shows where the cursor is
    const int page = std::max(1, static_cast<int>(layout_.window().height()) - 1);
    if (const auto moved = movedCell(*event, at, static_cast<int>(values().rows()),
                                     static_cast<int>(values().columns()), page)) {
        const bool isArrow = event->key() >= Qt::Key_Left && event->key() <= Qt::Key_Down;
        moveCursor(entering && isArrow ? at : *moved);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!entering)
            selection_->togglePinned(TokenFocus::cell(head().site.kind, at.row, at.column));
        return;
    case Qt::Key_0:
        return fit();
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
