#include "app/desktop/widget_geometry.h"

#include "widgets/tables/own_row.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVariant>

#include <algorithm>
#include <map>

namespace headscope::app {

namespace {

using Places = WidgetGeometry::Places;
using PlaceNumbers = Places::mapped_type;

const std::string keysOf = "keys ";
const std::string scrollOf = "scroll ";
const std::string halvesOf = "halves ";
const std::string columnsOf = "columns ";
const std::string rowPrefix = "row ";
const std::string columnOf = "column ";

bool hasPlace(const QWidget& widget) {
    return widget.focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractScrollArea*>(&widget) ||
           qobject_cast<const QSplitter*>(&widget);
}

std::string panelOf(const QWidget& widget) {
    for (const QWidget* around = &widget; around; around = around->parentWidget())
        if (const auto name = around->property(panelProperty); name.isValid())
            return name.toString().toStdString();
    return "window";
}

/// True if the user can resize the columns.
bool hasOwnColumns(const QHeaderView& header) {
    for (int i = 0; i < header.count(); ++i)
        if (header.sectionResizeMode(i) == QHeaderView::Interactive)
            return header.orientation() == Qt::Horizontal;
    return false;
}

PlaceNumbers columnsIn(const QHeaderView& header) {
    PlaceNumbers widths;
    for (int i = 0; i < header.count(); ++i)
        widths.push_back(header.sectionSize(i));
    return widths;
}

void setColumns(QHeaderView& header, const PlaceNumbers& widths) {
    if (std::ssize(widths) != header.count())
        return; // belongs to another table
    for (int i = 0; i < header.count(); ++i) {
        const int width = widths[i];
        if (width > 0 && !header.isSectionHidden(i) &&
            header.sectionResizeMode(i) == QHeaderView::Interactive)
            header.resizeSection(i, width);
    }
}

bool scrolls(const QScrollBar& bar) {
    return bar.maximum() > bar.minimum();
}

/// Moves the slider as the user does, so that views do not scroll elsewhere afterwards.
void scroll(QScrollBar& bar, int place) {
    if (bar.value() != std::clamp(place, bar.minimum(), bar.maximum()))
        bar.setSliderPosition(place);
}

void addArea(Places& places, const std::string& name, const QAbstractScrollArea& area) {
    if (scrolls(*area.horizontalScrollBar()) || scrolls(*area.verticalScrollBar()))
        places[scrollOf + name] = {area.horizontalScrollBar()->value(), area.verticalScrollBar()->value()};
    const auto* list = qobject_cast<const QAbstractItemView*>(&area);
    if (list && list->currentIndex().column() > 0)
        places[columnOf + name] = {list->currentIndex().column()};
    if (list && list->property(widgets::ownRowProperty).toBool() && list->currentIndex().isValid())
        places[rowPrefix + name] = {list->currentIndex().row()};
}

void chooseRow(QAbstractItemView& list, int row) {
    const auto index = list.model()->index(row, 0);
    if (index.isValid() && list.currentIndex().row() != row)
        list.setCurrentIndex(index);
}

/// Of the row that is already selected.
void chooseColumn(QAbstractItemView& list, int column) {
    const auto index = list.currentIndex().siblingAtColumn(column);
    if (index.isValid() && index != list.currentIndex())
        list.selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
}

} // namespace

WidgetGeometry::WidgetGeometry(QWidget* window) : window_(window) {
    std::map<std::string, int> counts;
    named_.emplace_back("window", window);
    for (auto* widget : window->findChildren<QWidget*>()) {
        if (!hasPlace(*widget))
            continue;
        std::string name = widget->metaObject()->className();
        name = panelOf(*widget) + ' ' + name.substr(name.rfind(':') + 1);
        const int number = ++counts[name];
        named_.emplace_back(name + ' ' + std::to_string(number), widget);
    }
}

Places WidgetGeometry::all() const {
    Places places;
    for (const auto& [name, widget] : named_) {
        if (!widget || !widget->isVisible())
            continue;
        if (widget == window_->focusWidget() || (widget == window_ && !window_->focusWidget()))
            places[keysOf + name] = {};
        const auto* header = qobject_cast<const QHeaderView*>(widget);
        if (header && hasOwnColumns(*header))
            places[columnsOf + name] = columnsIn(*header);
        else if (const auto* halves = qobject_cast<const QSplitter*>(widget))
            for (const int size : halves->sizes())
                places[halvesOf + name].push_back(size);
        else if (const auto* area = qobject_cast<const QAbstractScrollArea*>(widget); area && !header)
            addArea(places, name, *area);
    }
    return places;
}

void WidgetGeometry::set(const Places& places) const {
    const auto with = [&](const std::string& name, std::size_t count, const auto& use) {
        const auto found = places.find(name);
        if (found != places.end() && (count == 0 || found->second.size() == count))
            use(found->second);
    };
    for (const auto& [name, pointer] : named_) {
        QWidget* widget = pointer;
        if (!widget || !widget->isVisible())
            continue;
        if (auto* halves = qobject_cast<QSplitter*>(widget))
            with(halvesOf + name, halves->count(), [&](const PlaceNumbers& sizes) {
                const QList<int> wanted(sizes.begin(), sizes.end());
                if (halves->sizes() != wanted)
                    halves->setSizes(wanted);
            });
        if (auto* header = qobject_cast<QHeaderView*>(widget))
            with(columnsOf + name, 0, [&](const PlaceNumbers& widths) { setColumns(*header, widths); });
        if (auto* list = qobject_cast<QAbstractItemView*>(widget))
            with(rowPrefix + name, 1, [&](const PlaceNumbers& row) { chooseRow(*list, row[0]); });
        if (auto* list = qobject_cast<QAbstractItemView*>(widget); list && list->selectionModel())
            with(columnOf + name, 1, [&](const PlaceNumbers& column) { chooseColumn(*list, column[0]); });
        if (auto* area = qobject_cast<QAbstractScrollArea*>(widget))
            with(scrollOf + name, 2, [&](const PlaceNumbers& at) {
                scroll(*area->horizontalScrollBar(), at[0]);
                scroll(*area->verticalScrollBar(), at[1]);
            });
        if (places.contains(keysOf + name) && widget->isEnabled() && window_->focusWidget() != widget)
            widget->setFocus(Qt::OtherFocusReason);
    }
}

void WidgetGeometry::forgetKeys(Places& places) {
    std::erase_if(places, [](const auto& place) { return place.first.starts_with(keysOf); });
}

bool WidgetGeometry::hasKeys(const Places& places) {
    return std::ranges::any_of(places, [](const auto& place) { return place.first.starts_with(keysOf); });
}

std::vector<QAbstractSlider*> WidgetGeometry::bars() const {
    std::vector<QAbstractSlider*> bars;
    for (const auto& [name, widget] : named_)
        if (auto* area = qobject_cast<QAbstractScrollArea*>(widget))
            bars.insert(bars.end(), {area->horizontalScrollBar(), area->verticalScrollBar()});
    return bars;
}

} // namespace headscope::app
