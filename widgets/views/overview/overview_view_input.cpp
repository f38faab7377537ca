// How a person's hand moves over the overview: pointer and keys.
#include "widgets/views/overview/overview_view.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace headscope::widgets {

bool OverviewView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto* tile = layout_.tileAt(help->pos()))
        QToolTip::showText(help->globalPos(), plainToolTip(headDescription(tile->head)), this, tile->picture);
    else if (!layout_.isEmpty() && help->pos().y() > layout_.bottom)
        QToolTip::showText(help->globalPos(), plainToolTip(caption()), this);
    else
        QToolTip::hideText();
    return true;
}

void OverviewView::resizeEvent(QResizeEvent*) {
    layOutAgain();
}

void OverviewView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOutAgain();
}

void OverviewView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    describe();
}

void OverviewView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    describe();
}

/// Nobody points at what is not there.
void OverviewView::hideEvent(QHideEvent*) {
    hovered_.reset();
    describe();
}

void OverviewView::leaveEvent(QEvent*) {
    hover(std::nullopt);
}

void OverviewView::mouseMoveEvent(QMouseEvent* event) {
    hover(headAt(event->position().toPoint()));
}

void OverviewView::mousePressEvent(QMouseEvent* event) {
    const auto head = headAt(event->position().toPoint());
    if (head && event->button() == Qt::LeftButton)
        selection_->setHead(*head);
    else
        event->ignore();
}

void OverviewView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto head = headAt(event->position().toPoint()); head && event->button() == Qt::LeftButton)
        Q_EMIT headOpened(*head);
}

void OverviewView::keyPressEvent(QKeyEvent* event) {
    const auto head = selection_->head();
    const auto goTo = [this](std::optional<trace::HeadAddress> there) {
        if (there)
            selection_->setHead(*there);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return goTo(neighbourOf(layout_, head, Direction::Left));
    case Qt::Key_Right:
        return goTo(neighbourOf(layout_, head, Direction::Right));
    case Qt::Key_Up:
        return goTo(neighbourOf(layout_, head, Direction::Up));
    case Qt::Key_Down:
        return goTo(neighbourOf(layout_, head, Direction::Down));
    case Qt::Key_Home:
        return goTo(endOfLine(layout_, head, false));
    case Qt::Key_End:
        return goTo(endOfLine(layout_, head, true));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (layout_.tileOf(head))
            Q_EMIT headOpened(head);
        return;
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
