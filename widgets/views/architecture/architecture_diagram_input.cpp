// Mouse and keys of the diagram.
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_words.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace headscope::widgets {

bool ArchitectureDiagram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto box = layout_.boxAt(toFigure(QPointF(help->pos()))))
        QToolTip::showText(help->globalPos(),
                           plainToolTip(blockInWords(facts_, *layout_.boxes[*box].block).join(QChar('\n'))),
                           this, areaOf(layout_.boxes[*box].block->role).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

void ArchitectureDiagram::setHovered(std::optional<std::size_t> box) {
    if (box == hovered_)
        return;
    hovered_ = box;
    update();
    describe(box);
}

void ArchitectureDiagram::describe(std::optional<std::size_t> box) {
    isSaid_ = box.has_value();
    const QStringList words = box ? blockInWords(facts_, *layout_.boxes[*box].block) : QStringList();
    Q_EMIT blockDescribed(words.isEmpty() ? QString() : words[0] + QStringLiteral(". ") + words[1]);
}

void ArchitectureDiagram::choose(std::size_t box) {
    const std::string role = layout_.boxes[box].block->role;
    setCurrent(role);
    describe(box); // wherever the pointer rests
    Q_EMIT chosen(role);
}

void ArchitectureDiagram::step(int along, int across) {
    const auto from = currentBox();
    if (!from)
        return;
    const std::size_t box = layout_.neighbour(*from, along, across);
    if (box == *from)
        return;
    bringIntoSight(box);
    choose(box);
}

/// The cursor stays on the block. One with nothing to fold folds what it is in.
void ArchitectureDiagram::fold(bool unfold) {
    const auto* block = current();
    if (!block)
        return;
    std::string role = block->role;
    if (!unfold && !isUnfolded(role)) {
        const auto dot = role.rfind('.');
        if (dot == std::string::npos)
            return;
        role = role.substr(0, dot);
    }
    setCurrent(role);
    setUnfolded(role, unfold);
    if (const auto box = layout_.boxOf(role))
        bringIntoSight(*box);
}

void ArchitectureDiagram::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void ArchitectureDiagram::mouseMoveEvent(QMouseEvent* event) {
    if (!dragFrom_)
        return setHovered(layout_.boxAt(toFigure(event->position())));
    const QPointF by = event->position() - *dragFrom_;
    dragged_ = dragged_ || by.manhattanLength() >= QApplication::startDragDistance();
    if (!dragged_)
        return;
    fitted_ = false;
    moveTo(offset_ + by, scale_);
    dragFrom_ = event->position();
}

void ArchitectureDiagram::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    const QPointF point = toFigure(event->position());
    const auto box = layout_.boxAt(point);
    if (!clicked || !box)
        return;
    const bool onSign = foldSign(layout_.boxes[*box]).adjusted(-4, -4, 4, 4).contains(point);
    choose(*box);
    if (onSign)
        setUnfolded(current_, !isUnfolded(current_));
}

void ArchitectureDiagram::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPointF point = toFigure(event->position());
    const auto box = layout_.boxAt(point);
    if (!box)
        return fit();
    if (foldSign(layout_.boxes[*box]).adjusted(-4, -4, 4, 4).contains(point))
        return mousePressEvent(event); // two clicks in a row on the sign
    const std::string role = layout_.boxes[*box].block->role;
    setUnfolded(role, !isUnfolded(role));
}

void ArchitectureDiagram::leaveEvent(QEvent*) {
    setHovered(std::nullopt);
}

void ArchitectureDiagram::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (!facts_.model || turned.isNull()) {
        event->ignore();
        return;
    }
    fitted_ = false;
    if (turned.y() == 0 || event->modifiers() & Qt::ShiftModifier) {
        moveTo(offset_ + QPointF(turned.x() + turned.y(), 0), scale_);
        return;
    }
    const QPointF under = toFigure(event->position());
    const double before = scale_;
    moveTo(offset_, before * std::pow(1.2, turned.y() / 120.0));
    moveTo(event->position() - under * scale_, scale_);
}

void ArchitectureDiagram::keyPressEvent(QKeyEvent* event) {
    if (!facts_.model) {
        event->ignore();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        return step(1, 0);
    case Qt::Key_Down:
        return step(-1, 0);
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto* block = current())
            fold(!isUnfolded(block->role));
        return;
    case Qt::Key_Plus:
        return fold(true);
    case Qt::Key_Minus:
        return fold(false);
    case Qt::Key_0:
        return fit();
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets
