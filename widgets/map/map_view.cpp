#include "widgets/map/map_view.h"

#include "widgets/drawing/theme.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int farthestBelow = 14; ///< pixels from the pointer to the tooltip, which adds its own distance

} // namespace

MapView::MapView(const QString& name, Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection ? selection : new Selection(this)) {
    installMapAccessibility(this);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(selection_, &Selection::focusChanged, this, [this] { focusMoved(); });
    if (ownsSelection())
        connect(selection_, &Selection::focusChanged, this, &MapView::tellCursor);
}

std::vector<double> MapView::zoomSides() const {
    return window_.isEmpty() ? std::vector<double>()
                             : std::vector{window_.x(), window_.y(), window_.width(), window_.height()};
}

void MapView::setZoomSides(const std::vector<double>& sides) {
    setZoom(sides.size() == 4 ? QRectF(sides[0], sides[1], sides[2], sides[3]) : QRectF());
}

bool MapView::hasPart(const QRectF& window) const {
    return QRectF(0, 0, columnCount(), rowCount()).contains(window);
}

void MapView::setZoom(const QRectF& window) {
    window_ = window.width() >= 1 && window.height() >= 1 && hasPart(window) ? window : QRectF();
    windowChanged();
}

/// Does not measure labels again: this happens at every step of the wheel.
void MapView::windowChanged() {
    layout_.show(window_);
    MapView::pictureChanged();
}

void MapView::look(const QRectF& window) {
    window_ = window;
    windowChanged();
    Q_EMIT zoomedByHand();
}

void MapView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    pictureChanged();
}

void MapView::pictureChanged() {
    still_ = QPixmap();
    update();
}

void MapView::focusMoved() {
    describeForReaders(this, litInWords());
    announceCursor(this, *this);
    update();
}

QString MapView::litInWords() const {
    const auto cell = cursorCell();
    return cell ? cellInWords(*cell) : QString();
}

TokenFocus MapView::focusOf(MapCell cell) const {
    return TokenFocus::cell(trace::AttentionKind::Cross, cell.row, cell.column);
}

std::optional<MapCell> MapView::cellOf(const TokenFocus& focus) {
    const std::optional<int> row = focus.query(trace::AttentionKind::Cross);
    const std::optional<int> column = focus.key(trace::AttentionKind::Cross);
    return row && column ? std::optional(MapCell{*row, *column}) : std::nullopt;
}

void MapView::tellCursor() {
    const auto cell = cursorCell();
    if (std::exchange(told_, cell) == cell)
        return;
    // Other views describe the cell that the cursor highlights in them. The description by this view must
    // come last, and be cleared first.
    if (!cell)
        Q_EMIT cellDescribed({});
    Q_EMIT cursorMoved(cell);
    if (cell)
        Q_EMIT cellDescribed(cellInWords(*cell));
}

QRect MapView::cellArea(MapCell cell) const {
    return (layout_.cellRect(cell.row, cell.column) & layout_.plot()).toAlignedRect();
}

std::optional<MapCell> MapView::cellUnder(QPoint point) const {
    return layout_.empty() ? ReadableMap::cellUnder(point) : cellAt(point);
}

void MapView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    if (still_.isNull() || still_.devicePixelRatio() != devicePixelRatioF()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        still_.fill(theme.background);
        QPainter kept(&still_);
        kept.setFont(font());
        paintStill(kept, theme);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, still_);
    paintMoving(painter, theme);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QPoint MapView::belowOf(const QPoint& point, const QRect& area) {
    return {point.x(), std::min(area.bottom(), point.y() + farthestBelow)};
}

bool MapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto [words, area] = wordsAt(QPointF(help->pos()));
    const QPoint below = area.isEmpty() ? help->pos() : belowOf(help->pos(), area);
    QToolTip::showText(mapToGlobal(below), plainToolTip(words), this, area);
    return true;
}

void MapView::resizeEvent(QResizeEvent*) {
    pictureChanged();
}

void MapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        pictureChanged();
}

void MapView::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void MapView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF here = event->position();
    dragged_ =
        dragged_ || (dragFrom_ && (here - *dragFrom_).manhattanLength() >= QApplication::startDragDistance());
    if (dragFrom_ && dragged_ && !layout_.empty()) {
        const QPointF by = layout_.toCells(*dragFrom_) - layout_.toCells(here);
        dragFrom_ = here;
        return look(pannedWindow(layout_.window(), by, rowCount(), columnCount()));
    }
    selection_->setHover(focusAt(here));
}

void MapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    dragFrom_ = event->position();
    dragged_ = false;
}

void MapView::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = dragFrom_ && !dragged_ && event->button() == Qt::LeftButton;
    dragFrom_.reset();
    if (!clicked)
        return;
    if (const TokenFocus there = focusAt(event->position()); !there.isEmpty())
        pin(there);
}

void MapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    // The first click has pinned the cell; the coming release unpins it.
    dragFrom_ = event->position();
    dragged_ = false;
    if (!layout_.empty())
        look({});
}

void MapView::wheelEvent(QWheelEvent* event) {
    if (layout_.empty() || !zooms(*event, *this)) {
        event->ignore();
        return;
    }
    const double factor = std::pow(1.2, event->angleDelta().y() / 120.0);
    look(zoomedWindow(layout_.window(), layout_.toCells(event->position()), factor, rowCount(),
                      columnCount()));
    event->accept();
}

/// Called for a click or Enter. A separate selection of the view does not mark the pinned cell: slots of
/// cellActivated() pin what the cell represents.
void MapView::pin(const TokenFocus& there) {
    selection_->togglePinned(there);
    if (const auto cell = cellOf(there); cell && ownsSelection())
        Q_EMIT cellClicked(*cell);
}

void MapView::goTo(MapCell cell) {
    if (!layout_.empty())
        if (const QRectF showing = windowShowing(layout_.window(), cell, rowCount(), columnCount());
            showing != layout_.window())
            look(showing);
    selection_->setCursor(focusOf(cell));
}

void MapView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Escape && !selection_->focus().isEmpty()) {
        QToolTip::hideText();
        selection_->setCursor({});
        selection_->clearPinned();
        if (ownsSelection())
            event->ignore(); // parents unpin what they have pinned
        return;
    }
    const auto cursor = cursorCell();
    const MapCell from = cursor ? *cursor : entry().value_or(MapCell{});
    const int page = std::max(1, static_cast<int>(layout_.window().height()) - 1);
    if (const auto moved = movedCell(*event, from, rowCount(), columnCount(), page)) {
        const bool isArrow = key >= Qt::Key_Left && key <= Qt::Key_Down;
        return goTo(!cursor && isArrow && entry() ? from : *moved);
    }
    if (!layout_.empty())
        if (const auto window = zoomedByKey(*event, layout_.window(), cursor, rowCount(), columnCount()))
            return look(*window);
    if (cursor && (key == Qt::Key_Return || key == Qt::Key_Enter))
        pin(focusOf(*cursor));
    else
        event->ignore();
}

} // namespace headscope::widgets
