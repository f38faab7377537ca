// How a person's hand moves over linked maps, and what readers are told of them.
#include "widgets/map/linked_maps.h"
#include "widgets/map/map_keys.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QToolTip>

#include <algorithm>

namespace headscope::widgets {

const LinkedMaps::Axes* LinkedMaps::axesOfRow(int row) const {
    const Axes* found = nullptr;
    for (const Axes& axes : axes_)
        if (row >= axes.firstRow)
            found = &axes;
    return row >= 0 && row < rowCount() ? found : nullptr;
}

std::optional<int> LinkedMaps::tokenOf(std::optional<int> cell) const {
    return cell ? std::optional(*cell * tokensACell()) : std::nullopt;
}

std::optional<int> LinkedMaps::cellOf(std::optional<int> token) const {
    return token ? std::optional(*token / tokensACell()) : std::nullopt;
}

int LinkedMaps::rowCount() const {
    return axes_.empty() ? 0
                         : axes_.back().firstRow + static_cast<int>(maps_[axes_.back().map].values.rows());
}

int LinkedMaps::columnCount() const {
    std::size_t most = 0;
    for (const Axes& axes : axes_)
        most = std::max(most, maps_[axes.map].values.columns());
    return static_cast<int>(most);
}

QString LinkedMaps::rowName(int row) const {
    const Axes* axes = axesOfRow(row);
    return axes && nameToken_
               ? nameToken_(maps_[axes->map].kind, true, (row - axes->firstRow) * tokensACell())
               : QString();
}

QString LinkedMaps::columnName(int column) const {
    // Each kind has columns of its own: only where there is one kind has a column one name.
    return axes_.size() == 1 && nameToken_
               ? nameToken_(maps_[axes_.front().map].kind, false, column * tokensACell())
               : QString::number(column);
}

QString LinkedMaps::cellInWords(MapCell cell) const {
    const Axes* axes = axesOfRow(cell.row);
    if (!axes || !describe_ || cell.column >= static_cast<int>(maps_[axes->map].values.columns()))
        return {};
    return describe_(maps_[axes->map].kind,
                     {(cell.row - axes->firstRow) * tokensACell(), cell.column * tokensACell()});
}

QRect LinkedMaps::cellArea(MapCell cell) const {
    const Axes* axes = axesOfRow(cell.row);
    return axes ? places_[axes->map].layout.cellRect(cell.row - axes->firstRow, cell.column).toRect()
                : QRect();
}

std::optional<MapCell> LinkedMaps::cursorCell() const {
    for (const Axes& axes : axes_) {
        const LinkedMap& map = maps_[axes.map];
        const auto query = cellOf(selection_->focus().query(map.kind));
        const auto key = cellOf(selection_->focus().key(map.kind));
        if (query && key && *query < static_cast<int>(map.values.rows()) &&
            *key < static_cast<int>(map.values.columns()))
            return MapCell{axes.firstRow + *query, *key};
    }
    return std::nullopt;
}

TokenFocus LinkedMaps::focusAt(QPointF position) const {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const auto kind = maps_[i].kind;
        const MapLayout& layout = places_[i].layout;
        if (const auto cell = layout.cellAt(position))
            return TokenFocus::cell(kind, tokenOf(cell->row), tokenOf(cell->column));
        const auto row = layout.rowLabelAt(position);
        const auto column = layout.columnLabelAt(position);
        if (row || column)
            return TokenFocus::cell(kind, tokenOf(row), tokenOf(column));
    }
    return {};
}

QString LinkedMaps::inWords(const TokenFocus& focus) const {
    for (const Axes& axes : axes_) {
        const LinkedMap& map = maps_[axes.map];
        const auto query = focus.query(map.kind);
        const auto key = focus.key(map.kind);
        const bool hasQuery = query && *cellOf(query) < static_cast<int>(map.values.rows());
        const bool hasKey = key && *cellOf(key) < static_cast<int>(map.values.columns());
        if (hasQuery && hasKey && describe_)
            return describe_(map.kind, {*query, *key});
        if ((hasQuery || hasKey) && nameToken_ && axes_.size() == 1)
            return nameToken_(map.kind, hasQuery, hasQuery ? *query : *key);
    }
    return {};
}

bool LinkedMaps::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    // What is said of a cell stands below the maps; what may be cut is said here.
    QString words;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
        const QRectF title(places_[i].area.topLeft(),
                           QSizeF(places_[i].area.width(), fontMetrics().height()));
        const auto row = places_[i].layout.rowLabelAt(help->pos());
        const auto column = places_[i].layout.columnLabelAt(help->pos());
        if (title.contains(help->pos()))
            words = maps_[i].title;
        else if ((row || column) && nameToken_)
            words = nameToken_(maps_[i].kind, row.has_value(), *tokenOf(row ? row : column));
    }
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(words), this);
    return true;
}

void LinkedMaps::mouseMoveEvent(QMouseEvent* event) {
    selection_->setHover(focusAt(event->position()));
}

void LinkedMaps::mousePressEvent(QMouseEvent* event) {
    const TokenFocus there = focusAt(event->position());
    if (!there.isEmpty() && event->button() == Qt::LeftButton)
        selection_->togglePinned(there);
    else
        event->ignore();
}

void LinkedMaps::leaveEvent(QEvent*) {
    selection_->setHover({});
}

void LinkedMaps::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        selection_->setCursor({});
        selection_->clearPinned();
        return;
    }
    const auto moved = movedCell(*event, cursorCell().value_or(MapCell{}), rowCount(), columnCount());
    const Axes* axes = moved ? axesOfRow(moved->row) : nullptr;
    if (!axes) {
        event->ignore();
        return;
    }
    const LinkedMap& map = maps_[axes->map];
    const int lastColumn = static_cast<int>(map.values.columns()) - 1;
    selection_->setCursor(TokenFocus::cell(map.kind, tokenOf(moved->row - axes->firstRow),
                                           tokenOf(std::min(moved->column, lastColumn))));
    showCursor();
}

/// Where the maps are higher than their place, keys scroll to the cell they go to.
void LinkedMaps::showCursor() {
    const auto cell = cursorCell();
    for (QWidget* around = parentWidget(); cell && around; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around)) {
            const QRect there = cellArea(*cell);
            const QPoint middle = mapTo(area->widget(), there.center());
            return area->ensureVisible(middle.x(), middle.y(), there.width(), there.height());
        }
}

} // namespace headscope::widgets
