#include "app/document/zoom_choices.h"

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

constexpr std::size_t zoomSides = 4; // of a zoom

std::vector<double> sidesOf(const widgets::HeatmapView& map) {
    const QRectF zoom = map.zoom();
    return zoom.isEmpty() ? std::vector<double>()
                          : std::vector{zoom.x(), zoom.y(), zoom.width(), zoom.height()};
}

void setZoom(widgets::HeatmapView& map, const std::vector<double>& zoom) {
    map.setZoom(zoom.size() == zoomSides ? QRectF(zoom[0], zoom[1], zoom[2], zoom[3]) : QRectF());
}

void setZooms(const std::vector<widgets::HeatmapView*>& maps, const std::vector<double>& zooms) {
    for (std::size_t i = 0; i < maps.size(); ++i) {
        std::vector<double> zoom;
        if ((i + 1) * zoomSides <= zooms.size() && zooms[i * zoomSides + 2] > 0)
            zoom.assign(zooms.begin() + static_cast<std::ptrdiff_t>(i * zoomSides),
                        zooms.begin() + static_cast<std::ptrdiff_t>((i + 1) * zoomSides));
        setZoom(*maps[i], zoom);
    }
}

/// Left, top, width and height in cells.
ChoiceValue zoomOf(const widgets::HeatmapView& map) {
    return sidesOf(map);
}

/// Of one panel behind the other; 0 for those that show the whole map; empty where all do.
ChoiceValue zoomsOf(const std::vector<widgets::HeatmapView*>& maps) {
    std::vector<double> all;
    bool any = false;
    for (const auto* map : maps) {
        auto zoom = sidesOf(*map);
        any = any || !zoom.empty();
        zoom.resize(zoomSides);
        all.insert(all.end(), zoom.begin(), zoom.end());
    }
    return any ? all : std::vector<double>();
}

bool isMap(const QWidget* widget) {
    return qobject_cast<const widgets::HeatmapView*>(widget) ||
           qobject_cast<const widgets::NumberMap*>(widget);
}

constexpr std::array zoomedPages{
    std::pair{"curves-zoom", widgets::PositionalEncodingView::Page::Curves},
    std::pair{"table-zoom", widgets::PositionalEncodingView::Page::Table},
    std::pair{"similarity-zoom", widgets::PositionalEncodingView::Page::Similarity}};

/// Where these keys have a meaning already.
bool takesZoomKeys(const QWidget* widget) {
    return isMap(widget) || qobject_cast<const widgets::ArchitectureDiagram*>(widget) ||
           qobject_cast<const QTreeView*>(widget);
}

} // namespace

void bindZooms(ViewChoices& choices, widgets::ComparedHeads* heads) {
    choices.add(
        "heatmap", "zoom", [heads] { return zoomOf(*heads->single()); },
        [heads](const ChoiceValue& value) {
            setZoom(*heads->single(), std::get<std::vector<double>>(value));
        });
    choices.add(
        "heatmap", "pinned-zoom", [heads] { return zoomsOf(heads->maps()); },
        [heads](const ChoiceValue& value) { setZooms(heads->maps(), std::get<std::vector<double>>(value)); });
}

void bindZooms(ViewChoices& choices, widgets::PositionalEncodingView* positions) {
    for (const auto& [name, page] : zoomedPages)
        choices.add(
            "positions", name, [positions, page] { return ChoiceValue(positions->zoomOf(page)); },
            [positions, page](const ChoiceValue& value) {
                positions->setZoom(page, std::get<std::vector<double>>(value));
            });
}

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

void sayZoom(PictureOptions& picture, const widgets::PositionalEncodingView& positions) {
    for (const auto& [name, page] : zoomedPages)
        if (positions.zoomedPage() != page || positions.zoomOf(page).empty())
            picture.choices.erase(name);
}

void sayZoom(PictureOptions& picture, const widgets::FigureSource& figure) {
    const auto* heads = dynamic_cast<const widgets::ComparedHeads*>(&figure);
    const auto* map = heads ? heads->single() : dynamic_cast<const widgets::HeatmapView*>(&figure);
    const bool several = heads && !heads->heads().empty();
    const auto say = [&](const char* choice, const ChoiceValue& zoom) {
        picture.choices.erase(choice);
        if (zoom != ChoiceValue(std::vector<double>()))
            picture.choices[choice] = zoom;
    };
    say("zoom", several || !map ? ChoiceValue(std::vector<double>()) : zoomOf(*map));
    say("pinned-zoom", several ? zoomsOf(heads->maps()) : ChoiceValue(std::vector<double>()));
}

} // namespace headscope::app
