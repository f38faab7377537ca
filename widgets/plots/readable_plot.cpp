#include "widgets/plots/readable_plot.h"

#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace headscope::widgets {

std::optional<MapCell> PlotPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    for (int row = 0; row < rows(); ++row)
        for (int column = 0; column < columns(); ++column)
            if (place({row, column}, area, font).contains(point))
                return MapCell{row, column};
    return std::nullopt;
}

QString PlotPicture::card(MapCell mark) const {
    return plainToolTip(inWords(mark));
}

FigureBlock plotBlock(std::shared_ptr<const PlotPicture> picture, const QFont& font,
                      std::function<QSizeF(double width)> size) {
    return {.size = std::move(size), .draw = [=](QPainter& painter, const QRectF& area, const Theme& theme) {
                if (picture)
                    picture->draw(painter, area, font, theme);
            }};
}

ReadablePlot::ReadablePlot(const QString& name, QWidget* parent) : QWidget(parent) {
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(120, 80);
    installMapAccessibility(this);
}

QRectF ReadablePlot::area() const {
    return QRectF(rect()).adjusted(4, 4, -4, -4);
}

/// Keeps the cursor on its mark while values change, for instance when a slider is dragged.
void ReadablePlot::setPicture(std::shared_ptr<const PlotPicture> picture) {
    picture_ = std::move(picture);
    if (keyed_ && (keyed_->row >= rowCount() || keyed_->column >= columnCount()))
        keyed_.reset();
    if (cursor_ && (cursor_->row >= rowCount() || cursor_->column >= columnCount()))
        setCursorMark(std::nullopt);
    else if (cursor_)
        describeForReaders(this, picture_->inWords(*cursor_));
    update();
}

QRect ReadablePlot::cellArea(MapCell cell) const {
    return picture_->place(cell, area(), font()).toAlignedRect();
}

std::optional<MapCell> ReadablePlot::markAt(QPointF point) const {
    return picture_ ? picture_->at(point, area(), font()) : std::nullopt;
}

void ReadablePlot::setCursorMark(std::optional<MapCell> mark) {
    if (mark == cursor_)
        return;
    cursor_ = mark;
    const QString words = mark && picture_ ? picture_->inWords(*mark) : QString();
    describeForReaders(this, words);
    announceCursor(this, *this);
    update();
    // Other views react by describing their own items, so the mark's description is emitted last.
    Q_EMIT cursorMoved(mark);
    Q_EMIT markDescribed(words);
}

void ReadablePlot::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!picture_)
        return;
    painter.setFont(font());
    picture_->draw(painter, area(), font(), theme);
    painter.setBrush(Qt::NoBrush);
    if (cursor_) {
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRect(picture_->place(*cursor_, area(), font()).adjusted(-1, -1, 1, 1));
    }
    if (!marked_.isEmpty()) {
        QColor fill = theme.accent;
        fill.setAlphaF(0.12F);
        painter.fillRect(marked_, fill);
        painter.setPen(theme.accent);
        painter.drawRect(marked_);
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// Esc is not the window's as long as it unmarks the area.
bool ReadablePlot::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && !marked_.isEmpty() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto mark = markAt(help->pos()))
        QToolTip::showText(help->globalPos(), picture_->card(*mark), this, cellArea(*mark));
    else
        QToolTip::hideText();
    return true;
}

void ReadablePlot::mouseMoveEvent(QMouseEvent* event) {
    if (pressed_) {
        marked_ = QRectF(*pressed_, event->position()).normalized().intersected(area());
        return update();
    }
    const auto mark = markAt(event->position());
    setCursorMark(mark ? mark : keyed_);
}

void ReadablePlot::mousePressEvent(QMouseEvent* event) {
    const bool isHit = isDraggable_ || markAt(event->position());
    if (event->button() != Qt::LeftButton || !isHit)
        return event->ignore();
    if (isDraggable_)
        pressed_ = event->position();
    else
        chooseAt(event->position());
}

/// What was not dragged is a click.
void ReadablePlot::mouseReleaseEvent(QMouseEvent* event) {
    const auto from = std::exchange(pressed_, std::nullopt);
    if (!from)
        return event->ignore();
    const bool isDragged = (event->position() - *from).manhattanLength() >= QApplication::startDragDistance();
    if (isDragged)
        return Q_EMIT areaMarked(marked_);
    forgetArea();
    chooseAt(*from);
}

void ReadablePlot::chooseAt(QPointF point) {
    if (const auto mark = markAt(point)) {
        keyed_.reset();
        Q_EMIT markChosen(*mark);
    }
}

void ReadablePlot::forgetArea() {
    if (marked_.isEmpty())
        return;
    marked_ = {};
    update();
    Q_EMIT areaMarked({});
}

void ReadablePlot::leaveEvent(QEvent*) {
    setCursorMark(keyed_);
}

void ReadablePlot::focusOutEvent(QFocusEvent* event) {
    keyed_.reset();
    setCursorMark(std::nullopt);
    QWidget::focusOutEvent(event);
}

void ReadablePlot::keyPressEvent(QKeyEvent* event) {
    constexpr int page = 10;
    if (const auto next =
            cursor_ ? picture_->towards(event->key(), *cursor_, area(), font()) : std::nullopt) {
        keyed_ = next;
        return setCursorMark(keyed_);
    }
    if (const auto moved = movedCell(*event, cursor_.value_or(MapCell{}), rowCount(), columnCount(), page)) {
        keyed_ = cursor_ || event->key() == Qt::Key_End ? *moved : MapCell{}; // the first key does not move
        setCursorMark(keyed_);
        return;
    }
    if (event->key() == Qt::Key_Escape && !marked_.isEmpty())
        return forgetArea();
    if (event->key() == Qt::Key_Escape) {
        keyed_.reset();
        setCursorMark(std::nullopt);
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && cursor_)
        Q_EMIT markChosen(*cursor_);
    else
        event->ignore();
}

} // namespace headscope::widgets
