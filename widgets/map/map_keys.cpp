#include "widgets/map/map_keys.h"

#include <QAbstractScrollArea>
#include <QKeyEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace headscope::widgets {

std::optional<MapCell> movedCell(const QKeyEvent& event, MapCell from, int rows, int columns, int page) {
    if (rows < 1 || columns < 1)
        return std::nullopt;
    const bool control = event.modifiers() & Qt::ControlModifier;
    MapCell to = from;
    switch (event.key()) {
    case Qt::Key_Left:
        --to.column;
        break;
    case Qt::Key_Right:
        ++to.column;
        break;
    case Qt::Key_Up:
        --to.row;
        break;
    case Qt::Key_Down:
        ++to.row;
        break;
    case Qt::Key_PageUp:
        to.row -= page;
        break;
    case Qt::Key_PageDown:
        to.row += page;
        break;
    case Qt::Key_Home:
        to = {control ? 0 : from.row, 0};
        break;
    case Qt::Key_End:
        to = {control ? rows - 1 : from.row, columns - 1};
        break;
    default:
        return std::nullopt;
    }
    return MapCell{std::clamp(to.row, 0, rows - 1), std::clamp(to.column, 0, columns - 1)};
}

std::optional<QRectF> zoomedByKey(const QKeyEvent& event, const QRectF& window, std::optional<MapCell> cursor,
                                  int rows, int columns) {
    constexpr double factor = 1.44; // two steps of the wheel
    if (rows < 1 || columns < 1)
        return std::nullopt;
    const QPointF around = cursor ? QPointF(cursor->column + 0.5, cursor->row + 0.5) : window.center();
    const auto zoomed = [&](double by) {
        const QRectF near = zoomedWindow(window, around, by, rows, columns);
        return cursor ? windowShowing(near, *cursor, rows, columns) : near;
    };
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: // + without Shift on many keyboards
        return zoomed(factor);
    case Qt::Key_Minus:
        return zoomed(1 / factor);
    case Qt::Key_0:
        return QRectF();
    default:
        return std::nullopt;
    }
}

bool zooms(const QWheelEvent& wheel, const QWidget& map) {
    if (wheel.angleDelta().y() == 0)
        return false;
    if (wheel.modifiers() & Qt::ControlModifier)
        return true;
    for (const QWidget* around = map.parentWidget(); around; around = around->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(around);
        if (area && area->verticalScrollBar()->maximum() > area->verticalScrollBar()->minimum())
            return false;
        if (around->isWindow())
            break;
    }
    return true;
}

} // namespace headscope::widgets
