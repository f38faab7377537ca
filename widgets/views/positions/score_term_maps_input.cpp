// How a person's hand moves over the maps of a score's terms: pointer and keys.
#include "widgets/map/map_keys.h"
#include "widgets/views/positions/score_term_maps.h"
#include "widgets/words/plain_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace headscope::widgets {

bool ScoreTermMaps::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto cell = cellAt(QPointF(help->pos())))
        QToolTip::showText(help->globalPos(), plainToolTip(cellInWords(*cell)), this);
    else
        QToolTip::hideText();
    return true;
}

void ScoreTermMaps::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    setCursorCell(cell ? cell : keyed_);
}

void ScoreTermMaps::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    if (const auto cell = cellAt(event->position())) {
        keyed_.reset();
        Q_EMIT cellClicked(*cell);
    }
}

void ScoreTermMaps::leaveEvent(QEvent*) {
    setCursorCell(keyed_);
}

void ScoreTermMaps::keyPressEvent(QKeyEvent* event) {
    if (const auto moved = movedCell(*event, cursor_.value_or(MapCell{}), rowCount(), columnCount())) {
        keyed_ = cursor_ ? *moved : MapCell{}; // the first key shows where the cursor is
        return setCursorCell(keyed_);
    }
    if (event->key() == Qt::Key_Escape) {
        keyed_.reset();
        setCursorCell(std::nullopt);
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && cursor_)
        Q_EMIT cellClicked(*cursor_);
    else
        event->ignore();
}

} // namespace headscope::widgets
