#include "app/window/docks/panels.h"

#include "app/desktop/dock_tabs.h"
#include "app/document/document.h"
#include "app/window/docks/dock_room.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/controls/tall_area.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>

#include <algorithm>
#include <iterator>

namespace headscope::app {

namespace {

using Region = widgets::Place::Region;

constexpr int heightBelow = 260; ///< of panels at the bottom, until one of them needs more
constexpr int widthAtLeft = 460;
constexpr int sideWidth = 380; ///< of a panel at the side that is opened: room for the columns of a table

} // namespace

Panels::Panels(QMainWindow* window, Document* document, Actions* actions)
    : QObject(window), window_(window), actions_(actions) {
    auto* selection = document->selection();
    // The panels at the right stay visible whatever is opened below the maps.
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const auto& place : widgets::places()) {
        if (place.region < Region::Left || !place.beside.empty())
            continue;
        if (!dock(place.key))
            addOwn(place, selection);
        actions_->menu("&Window")->addAction(dock(place.key)->toggleViewAction());
    }
    resizeOpen();
}

widgets::View* Panels::makeView(const widgets::Place& place, widgets::Selection* selection) {
    auto* view = widgets::makerOf(place.key)(selection, window_);
    views_.push_back(view);
    byKey_[place.key] = view;
    return view;
}

void Panels::addOwn(const widgets::Place& place, widgets::Selection* selection) {
    auto* view = makeView(place, selection);
    QWidget* content = view;
    for (const auto& other : widgets::places()) {
        if (other.beside != place.key)
            continue;
        auto* both = new QSplitter(window_);
        both->setChildrenCollapsible(false);
        both->addWidget(content);
        both->addWidget(makeView(other, selection));
        both->setStretchFactor(0, 1);
        both->setSizes({640, 340});
        content = both;
    }
    auto* dock = new QDockWidget(QCoreApplication::translate("ViewSpec", place.spec->title), window_);
    if (auto* menu = view->menu())
        actions_->menu(place.spec->menu)->addMenu(menu);
    if (place.region == Region::Left)
        dock->setWidget(content);
    else if (place.isOpen)
        dock->setWidget(new widgets::TallArea(content, window_));
    else
        dock->setWidget(new widgets::RoomyArea(content, window_));
    add(dock, place.panel,
        place.region == Region::Left     ? Qt::LeftDockWidgetArea
        : place.region == Region::Bottom ? Qt::BottomDockWidgetArea
                                         : Qt::RightDockWidgetArea);
    if (place.isOpen)
        return;
    dock->hide();
    if (place.region != Region::Bottom)
        return;
    window_->resizeDocks({dock}, {heightBelow}, Qt::Vertical);
    layOnOpenDocksFromMenu(dock);
}

/// The sizes of the panels that are open when the window begins; others at the right are tabs of the last.
void Panels::resizeOpen() {
    QList<QDockWidget*> atRight;
    QList<int> heights;
    for (const auto& place : widgets::places()) {
        if (place.region == Region::Right && place.isOpen) {
            atRight += dock(place.key);
            heights += place.leastHeight;
        } else if (place.region == Region::Right && !atRight.empty()) {
            window_->tabifyDockWidget(atRight.back(), dock(place.key));
        }
    }
    window_->resizeDocks(atRight, heights, Qt::Vertical);
    auto* heads = left();
    if (heads && !atRight.empty())
        window_->resizeDocks({dockAround(heads), atRight.front()},
                             {widthAtLeft, atRight.front()->widget()->sizeHint().width()}, Qt::Horizontal);
}

QDockWidget* Panels::dock(const std::string& key) const {
    const auto* place = widgets::placeOf(key);
    if (place && !place->beside.empty())
        return dock(place->beside);
    return place ? window_->findChild<QDockWidget*>(QString::fromStdString(place->panel),
                                                    Qt::FindDirectChildrenOnly)
                 : nullptr;
}

widgets::View* Panels::view(const std::string& key) const {
    const auto found = byKey_.find(key);
    return found == byKey_.end() ? nullptr : found->second;
}

widgets::View* Panels::left() const {
    const auto place = std::ranges::find(widgets::places(), Region::Left, &widgets::Place::region);
    return place == widgets::places().end() ? nullptr : view(place->key);
}

void Panels::follow(const widgets::DocumentState& document) {
    for (const auto& place : widgets::places()) {
        if (place.region < Region::Left || !place.beside.empty())
            continue;
        auto* panel = dock(place.key);
        if (place.spec->titleOf)
            panel->setWindowTitle(QCoreApplication::translate(
                "ViewSpec", document.model ? place.spec->titleOf(*document.model) : place.spec->title));
        const auto lack =
            place.region == Region::Bottom ? widgets::lackOf(*place.spec, document) : std::nullopt;
        const QString words = tr("Show or hide the panel \"%1\"").arg(panel->windowTitle());
        QAction* toggle = panel->toggleViewAction();
        toggle->setEnabled(!lack);
        toggle->setToolTip(
            lack ? QStringLiteral("%1\n%2").arg(words, QCoreApplication::translate("ViewSpec", lack->why))
                 : words);
    }
}

void Panels::open(const std::string& key) {
    const auto* place = widgets::placeOf(key);
    auto* opened = dock(key);
    if (place->region != Region::Bottom) {
        opened->show();
        opened->raise();
        if (opened->width() < sideWidth)
            window_->resizeDocks({opened}, {sideWidth}, Qt::Horizontal);
        if (opened->height() < place->leastHeight)
            window_->resizeDocks({opened}, {place->leastHeight}, Qt::Vertical);
    } else {
        openOnTop(opened, opened->isHidden(), place->leastHeight);
    }
    const auto* shown = view(key);
    if (auto* taker = shown ? shown->takesKeys() : nullptr) {
        taker->clearFocus(); // selects a typed line again, too
        taker->setFocus(Qt::ShortcutFocusReason);
    } else {
        giveKeys(*opened);
    }
}

void Panels::open(const widgets::View* view) {
    open(std::ranges::find(byKey_, view, [](const auto& each) { return each.second; })->first);
}

void Panels::openBehind(const widgets::View* view) {
    auto* opened = dockAround(view);
    auto* busy = dockAround(window_->focusWidget());
    openOnTop(opened, opened->isHidden());
    if (busy && window_->tabifiedDockWidgets(opened).contains(busy))
        busy->raise();
}

void Panels::makeRoom(const widgets::View* view, bool on) {
    auto* dock = dockAround(view);
    auto* room = dock->findChild<DockRoom*>();
    if (!room)
        room = new DockRoom(dock, view);
    on ? room->take() : room->giveBack();
}

void Panels::add(QDockWidget* dock, const std::string& name, Qt::DockWidgetArea area) {
    dock->setObjectName(QString::fromStdString(name));
    window_->addDockWidget(area, dock);
    dock->toggleViewAction()->setToolTip(tr("Show or hide the panel \"%1\"").arg(dock->windowTitle()));
}

/// Omits the view at the left, where heads are selected for the tab: it is exported from its own menu.
std::vector<QWidget*> Panels::pictures() const {
    std::vector<QWidget*> all;
    std::ranges::copy_if(views_, std::back_inserter(all), [this](auto* view) { return view != left(); });
    return all;
}

void Panels::setRun(const std::shared_ptr<const trace::Run>& run) {
    for (auto* view : views_)
        view->setRun(run);
}

} // namespace headscope::app
