// How a person's hand moves over the masks: pointer and keys.
#include "widgets/captions.h"
#include "widgets/mask_view.h"
#include "widgets/plain_text.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace headscope::widgets {

void MaskView::resizeEvent(QResizeEvent*) {
    still_ = QPixmap();
    if (hasFigure())
        layOutParts(parts_, pictureArea());
}

void MaskView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        buildParts();
}

std::optional<MapCell> MaskView::cellAt(QPointF position) const {
    for (const Part& part : parts_)
        if (const auto cell = part.layout.cellAt(position))
            return cell;
    return std::nullopt;
}

void MaskView::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    selection_->setHover(cell ? TokenFocus::cell(kind(), cell->row, cell->column) : TokenFocus());
}

void MaskView::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position()); cell && event->button() == Qt::LeftButton)
        selection_->togglePinned(TokenFocus::cell(kind(), cell->row, cell->column));
    else
        event->ignore();
}

void MaskView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void MaskView::keyPressEvent(QKeyEvent* event) {
    const auto& applied = parts_.back().mask;
    const int rows = static_cast<int>(applied.rows());
    const int columns = static_cast<int>(applied.columns());
    MapCell at{selection_->focus().query(kind()).value_or(0), selection_->focus().key(kind()).value_or(0)};
    switch (event->key()) {
    case Qt::Key_Left:
        --at.column;
        break;
    case Qt::Key_Right:
        ++at.column;
        break;
    case Qt::Key_Up:
        --at.row;
        break;
    case Qt::Key_Down:
        ++at.row;
        break;
    case Qt::Key_Escape:
        selection_->setHover({});
        selection_->clearPinned();
        return;
    default:
        event->ignore();
        return;
    }
    if (rows > 0 && columns > 0) {
        at = {std::clamp(at.row, 0, rows - 1), std::clamp(at.column, 0, columns - 1)};
        selection_->setHover(TokenFocus::cell(kind(), at.row, at.column));
        describeForReaders(this, cellStatus(*run_, selection_->head(), at.row, at.column, Quantity::Weights));
    }
}

} // namespace headscope::widgets
