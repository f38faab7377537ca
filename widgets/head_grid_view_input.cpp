// How a person's hand moves over the grid: pointer and keys.
#include "widgets/head_grid_view.h"
#include "widgets/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace headscope::widgets {

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
    trace::HeadAddress head = selection_->head();
    switch (event->key()) {
    case Qt::Key_Left:
        --head.head;
        break;
    case Qt::Key_Right:
        ++head.head;
        break;
    case Qt::Key_Up:
        --head.site.layer;
        break;
    case Qt::Key_Down:
        ++head.site.layer;
        break;
    case Qt::Key_Home:
        head.head = 0;
        break;
    case Qt::Key_End:
        head.head = grid_.heads - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (thumbnailRect(head).isValid())
            Q_EMIT headOpened(head);
        return;
    default:
        event->ignore();
        return;
    }
    if (thumbnailRect(head).isValid())
        selection_->setHead(head);
}

} // namespace headscope::widgets
