// How a person's hand moves over the masks: pointer and keys.
#include "widgets/captions.h"
#include "widgets/map_keys.h"
#include "widgets/mask_view.h"
#include "widgets/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

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

TokenFocus MaskView::focusAt(QPointF position) const {
    for (const Part& part : parts_) {
        if (const auto cell = part.layout.cellAt(position))
            return TokenFocus::cell(kind(), cell->row, cell->column);
        const auto row = part.layout.rowLabelAt(position);
        const auto column = part.layout.columnLabelAt(position);
        if (row || column)
            return TokenFocus::cell(kind(), row, column);
    }
    return {};
}

QString MaskView::focusInWords(const TokenFocus& focus) const {
    const auto query = focus.query(kind());
    const auto key = focus.key(kind());
    if (query && key)
        return cellStatus(*run_, selection_->head(), *query, *key, Quantity::Weights);
    return query ? queryInWords(*run_, kind(), *query) : key ? keyInWords(*run_, kind(), *key) : QString();
}

bool MaskView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const TokenFocus there = focusAt(QPointF(help->pos()));
    if (there.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(focusInWords(there)), this);
    return true;
}

void MaskView::mouseMoveEvent(QMouseEvent* event) {
    selection_->setHover(focusAt(event->position()));
}

void MaskView::mousePressEvent(QMouseEvent* event) {
    const TokenFocus there = focusAt(event->position());
    if (!there.isEmpty() && event->button() == Qt::LeftButton)
        selection_->togglePinned(there);
    else
        event->ignore();
}

void MaskView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void MaskView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        selection_->setHover({});
        selection_->clearPinned();
        return;
    }
    const auto& applied = parts_.back().mask;
    const MapCell at{selection_->focus().query(kind()).value_or(0),
                     selection_->focus().key(kind()).value_or(0)};
    const auto moved =
        movedCell(*event, at, static_cast<int>(applied.rows()), static_cast<int>(applied.columns()));
    if (!moved) {
        event->ignore();
        return;
    }
    selection_->setHover(TokenFocus::cell(kind(), moved->row, moved->column));
    describeForReaders(this, focusInWords(selection_->hover()));
}

} // namespace headscope::widgets
