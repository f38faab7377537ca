// How a person's hand moves over the lens: pointer and keys.
#include "widgets/map/map_keys.h"
#include "widgets/views/lens/lens_grid.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace headscope::widgets {

void LensGrid::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void LensGrid::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measure();
}

bool LensGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), plainToolTip(wordsAt(QPointF(help->pos()))), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave) {
        setCursorCell(keyed_);
        lightStep(std::nullopt);
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LensGrid::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = layout_.cellAt(event->position(), offset());
    const auto column = layout_.columnHeadingAt(event->position(), offset());
    setCursorCell(cell ? cell : keyed_);
    lightStep(cell ? std::optional(cell->column) : column);
}

void LensGrid::mousePressEvent(QMouseEvent* event) {
    const auto cell = layout_.cellAt(event->position(), offset());
    const auto column =
        cell ? std::optional(cell->column) : layout_.columnHeadingAt(event->position(), offset());
    if (!column || event->button() != Qt::LeftButton)
        return event->ignore();
    forgetKeys();
    setCursorCell(cell);
    lightStep(column);
    selection_->setStep(*column);
}

void LensGrid::keyPressEvent(QKeyEvent* event) {
    const MapCell from = cursor_.value_or(MapCell{0, std::clamp(selection_->step(), 0, columnCount())});
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (cursor_)
            selection_->setStep(cursor_->column);
        return;
    case Qt::Key_Escape:
        forgetKeys();
        setCursorCell(std::nullopt);
        lightStep(std::nullopt);
        event->ignore(); // and lets go of what is pinned
        return;
    default:
        break;
    }
    const int page = std::max(1, verticalScrollBar()->pageStep() / std::max(1, int(layout_.rowHeight())));
    const auto moved = movedCell(*event, from, rowCount(), columnCount(), page);
    if (!moved) {
        event->ignore();
        return;
    }
    show(*moved);
    keyed_ = moved;
    setCursorCell(moved);
    selection_->setCursor({.targetQuery = moved->column});
}

} // namespace headscope::widgets
