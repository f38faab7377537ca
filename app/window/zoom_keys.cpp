#include "app/window/zoom_keys.h"

#include "widgets/map/map_keys.h"

#include <QApplication>
#include <QKeyEvent>
#include <QVariant>

#include <algorithm>

namespace headscope::app {

namespace {

bool isMap(const QWidget* widget) {
    return widget->property(widgets::zoomsByKey).toBool();
}

/// True for widgets that already handle these keys.
bool takesZoomKeys(const QWidget* widget) {
    return widget && (widget->property(widgets::zoomsByKey).isValid() || widget->inherits("QTreeView"));
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
    if (QObject* map = target) // sent directly, as an event sent through the application would trigger the
                               // shortcut again
        map->event(&press);
}

} // namespace headscope::app
