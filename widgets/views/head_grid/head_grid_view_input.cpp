// How a person's hand moves over the grid: pointer and keys.
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace headscope::widgets {

std::optional<trace::HeadAddress> HeadGridView::headOf(MapCell cell) const {
    const int place = cell.row * grid_.columns + cell.column;
    return place < grid_.count() ? std::optional(grid_.heads[static_cast<std::size_t>(place)]) : std::nullopt;
}

QString HeadGridView::rowName(int row) const {
    return isListed() ? QString::number(row + 1) : tr("layer %1").arg(row);
}

QString HeadGridView::columnName(int column) const {
    return isListed() ? QString::number(column + 1) : tr("head %1").arg(column);
}

QString HeadGridView::cellInWords(MapCell cell) const {
    const auto head = headOf(cell);
    return head ? headDescription(*head) : QString();
}

QRect HeadGridView::cellArea(MapCell cell) const {
    const auto head = headOf(cell);
    return head ? thumbnailRect(*head) : QRect();
}

std::optional<MapCell> HeadGridView::cursorCell() const {
    const auto place = grid_.placeOf(selection_->head());
    return place ? std::optional(MapCell{.row = *place / grid_.columns, .column = *place % grid_.columns})
                 : std::nullopt;
}

void HeadGridView::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void HeadGridView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forgetPictures();
}

bool HeadGridView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto head = headAt(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(headDescription(*head)), viewport(),
                               thumbnailRect(*head));
        else if (!grid_.isEmpty() &&
                 help->y() + verticalScrollBar()->value() >
                     grid_.whole.height() - wordsHeight(viewport()->width(), Canvas::Window))
            QToolTip::showText(help->globalPos(), plainToolTip(caption()), viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave) {
        hovered_.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void HeadGridView::mouseMoveEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head == hovered_)
        return;
    hovered_ = head;
    viewport()->update();
}

void HeadGridView::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head && event->button() == Qt::LeftButton)
        selection_->setHead(*head);
    else
        event->ignore();
}

void HeadGridView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto head = headAt(event->position().toPoint()); head && event->button() == Qt::LeftButton)
        Q_EMIT headOpened(*head);
}

void HeadGridView::keyPressEvent(QKeyEvent* event) {
    const auto current = grid_.placeOf(selection_->head());
    const int column = current ? *current % grid_.columns : 0;
    int place = current.value_or(-1);
    switch (event->key()) {
    case Qt::Key_Left:
        place -= column > 0 ? 1 : 0;
        break;
    case Qt::Key_Right:
        place += column + 1 < grid_.columns ? 1 : 0;
        break;
    case Qt::Key_Up:
        place -= grid_.columns;
        break;
    case Qt::Key_Down:
        place += grid_.columns;
        break;
    case Qt::Key_Home:
        place -= column;
        break;
    case Qt::Key_End:
        place = std::min(place - column + grid_.columns, grid_.count()) - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current)
            Q_EMIT headOpened(selection_->head());
        return;
    default:
        event->ignore();
        return;
    }
    if (current && place >= 0 && place < grid_.count())
        selection_->setHead(grid_.heads[static_cast<std::size_t>(place)]);
}

} // namespace headscope::widgets
