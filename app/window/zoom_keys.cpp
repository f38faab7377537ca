#include "app/window/zoom_keys.h"

#include "widgets/map/number_map.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/positions/positional_encoding_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QRectF>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace headscope::app {

namespace {

bool isMap(const QWidget* widget) {
    return qobject_cast<const widgets::HeatmapView*>(widget) ||
           qobject_cast<const widgets::NumberMap*>(widget);
}

/// Where these keys have a meaning already.
bool takesZoomKeys(const QWidget* widget) {
    return isMap(widget) || qobject_cast<const widgets::ArchitectureDiagram*>(widget) ||
           qobject_cast<const QTreeView*>(widget);
}

} // namespace

void pressZoomKey(QWidget& page, int key) {
    QWidget* target = QApplication::focusWidget();
    if (!takesZoomKeys(target)) {
        const auto inside = page.findChildren<QWidget*>();
        const auto found = std::ranges::find_if(
            inside, [](const QWidget* widget) { return widget->isVisible() && isMap(widget); });
        target = found == inside.end() ? nullptr : *found;
    }
    QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
    if (QObject* map = target) // to it alone: what is sent through the application is a shortcut again
        map->event(&press);
}

} // namespace headscope::app
