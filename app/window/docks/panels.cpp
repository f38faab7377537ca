#include "app/window/docks/panels.h"

#include "app/desktop/dock_tabs.h"
#include "app/document/document.h"
#include "app/results/results.h"
#include "app/window/docks/dock_room.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/head_tints.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/controls/tall_area.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/places.h"
#include "widgets/words/importance_words.h"
#include "widgets/words/trace_words.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>

#include <algorithm>
#include <array>
#include <iterator>

namespace headscope::app {

namespace {

using Region = widgets::Place::Region;

constexpr int heightBelow = 260; ///< of panels at the bottom, until one of them needs more
constexpr int sideWidth = 380;   ///< of a panel at the side that is opened: room for the columns of a table

/// Actions that open a panel, or close it where it has the keys.
constexpr std::array panelOpeners{std::pair("beam-tree", ActionId::ShowBeamTree),
                                  std::pair("logit-lens", ActionId::ShowLens),
                                  std::pair("arithmetic", ActionId::ShowArithmetic)};

} // namespace

Panels::Panels(QMainWindow* window, Document* document, Results* results, Actions* actions)
    : QObject(window), window_(window), actions_(actions) {
    auto* selection = document->selection();
    // The next-token panel stays visible whatever is opened below the maps.
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    grid_ = widgets::makerOf("contact-sheet")(selection, window);
    candidates_ = new widgets::CandidatesView(selection, window);
    auto* heads = wrap("heads", tr("Heads"), grid_, Qt::LeftDockWidgetArea);
    auto* next = wrap("next-token", tr("Next token"), new widgets::TallArea(candidates_, window),
                      Qt::RightDockWidgetArea);
    headTable_ = new HeadTableDock(document, selection, actions, window);
    add(headTable_, "head-table", Qt::BottomDockWidgetArea);
    headTable_->hide();
    addOwn(selection);
    resizeOpen();
    views_ = ownViews_;
    views_.insert(views_.begin(), {grid_, candidates_, headTable_->table(), headTable_->page()});
    new HeadTints(document, results, actions, this);
    followTwin(document);
    connectOpening(document, results);
    window->resizeDocks({heads, next}, {460, next->widget()->sizeHint().width()}, Qt::Horizontal);
}

void Panels::addOwn(widgets::Selection* selection) {
    for (const auto& place : widgets::places()) {
        if (place.region < Region::Left || !place.beside.empty())
            continue;
        if (!dock(place.key) && widgets::makerOf(place.key))
            addOwn(place, selection);
        if (auto* panel = dock(place.key))
            actions_->menu("&Window")->addAction(panel->toggleViewAction());
    }
}

void Panels::addOwn(const widgets::Place& place, widgets::Selection* selection) {
    auto* view = widgets::makerOf(place.key)(selection, window_);
    ownViews_.push_back(view);
    QWidget* content = view;
    for (const auto& other : widgets::places()) {
        if (other.beside != place.key || !widgets::makerOf(other.key))
            continue;
        auto* both = new QSplitter(window_);
        both->setChildrenCollapsible(false);
        both->addWidget(view);
        ownViews_.push_back(widgets::makerOf(other.key)(selection, window_));
        both->addWidget(ownViews_.back());
        both->setStretchFactor(0, 1);
        both->setSizes({640, 340});
        content = both;
    }
    if (auto* menu = view->menu())
        actions_->menu(place.spec->menu)->addMenu(menu);
    const bool isRight = place.region == Region::Right;
    QWidget* area = place.isOpen ? static_cast<QWidget*>(new widgets::TallArea(content, window_))
                                 : new widgets::RoomyArea(content, window_);
    auto* dock = wrap(place.key.c_str(), QCoreApplication::translate("ViewSpec", place.spec->title), area,
                      isRight ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea);
    if (place.isOpen)
        return;
    dock->hide();
    if (isRight)
        return layOnOpen(dock);
    window_->resizeDocks({dock}, {heightBelow}, Qt::Vertical);
    layOnOpenDocksFromMenu(dock);
}

/// A closed panel at the side becomes a tab of the last one that is open from the start.
void Panels::layOnOpen(QDockWidget* closed) {
    QDockWidget* open = nullptr;
    for (const auto& place : widgets::places())
        if (place.isOpen && place.region == Region::Right)
            open = dock(place.key) ? dock(place.key) : open;
    if (open)
        window_->tabifyDockWidget(open, closed);
}

/// Shares the height of the side among the panels that are open from the start.
void Panels::resizeOpen() {
    QList<QDockWidget*> open;
    QList<int> heights;
    for (const auto& place : widgets::places())
        if (auto* panel = place.isOpen && place.region == Region::Right ? dock(place.key) : nullptr) {
            open += panel;
            heights += place.leastHeight;
        }
    window_->resizeDocks(open, heights, Qt::Vertical);
}

QDockWidget* Panels::dock(const std::string& key) const {
    return window_->findChild<QDockWidget*>(QString::fromStdString(key), Qt::FindDirectChildrenOnly);
}

void Panels::open(const std::string& key) {
    const auto place = std::ranges::find(widgets::places(), key, &widgets::Place::key);
    auto* opened = dock(key);
    if (place->region == Region::Right) {
        opened->show();
        opened->raise();
        if (opened->width() < sideWidth)
            window_->resizeDocks({opened}, {sideWidth}, Qt::Horizontal);
        if (opened->height() < place->leastHeight)
            window_->resizeDocks({opened}, {place->leastHeight}, Qt::Vertical);
    } else {
        openOnTop(opened, opened->isHidden(), place->leastHeight);
    }
    const auto view = std::ranges::find_if(ownViews_, [&](auto* each) { return opened->isAncestorOf(each); });
    if (auto* taker = view == ownViews_.end() ? nullptr : (*view)->takesKeys()) {
        taker->clearFocus(); // selects a typed line again, too
        taker->setFocus(Qt::ShortcutFocusReason);
    } else {
        giveKeys(*opened);
    }
}

void Panels::openBehind(const widgets::View* view) {
    auto* opened = dockAround(view);
    auto* busy = dockAround(window_->focusWidget());
    openOnTop(opened, opened->isHidden());
    if (busy && window_->tabifiedDockWidgets(opened).contains(busy))
        busy->raise();
}

void Panels::connectOpening(Document* document, Results* results) {
    for (const auto& [key, id] : panelOpeners)
        connect((*actions_)[id], &QAction::triggered, this, [this, key = key] {
            if (!closesByItsKey(*dock(key)))
                open(key);
        });
    connect((*actions_)[ActionId::ForceTarget], &QAction::triggered, this, [this] { open("reference"); });
    const auto measure = [this, document, results] {
        open("importance");
        if (const auto question = widgets::importanceQuestion(document->state()))
            results->forgetRefusal(*question); // it may be possible now
        document->measureHeads();
    };
    connect((*actions_)[ActionId::MeasureHeads], &QAction::triggered, this, measure);
    connect((*actions_)[ActionId::Stop], &QAction::triggered, document, &Document::stopMeasuring);
    connect(document, &Document::stateChanged, this, [this, document] { followMeasuring(document); });
    followMeasuring(document);
}

/// What a trace holds of its heads is shown at once; if it holds nothing, the view says so.
void Panels::followMeasuring(Document* document) {
    const auto& shown = document->state().run;
    const auto* run = shown.get();
    const bool isTrace = run && run->model && run->model->recorded;
    const QString whyNot = isTrace && !document->state().measured ? widgets::whyNothingRuns(*run->model)
                                                                  : widgets::whyNotMeasured(run, *window_);
    actions_->setEnabled(ActionId::MeasureHeads, whyNot.isEmpty(), whyNot);
    if (!isTrace || !run->complete || trace_.lock() == shown)
        return;
    trace_ = shown;
    if (widgets::whyNotMeasured(run, *window_).isEmpty())
        document->measureHeads();
}

void Panels::followTwin(Document* document) {
    QAction* action = (*actions_)[ActionId::RandomTwin];
    auto* twin = dock("random-twin");
    connect(action, &QAction::triggered, this, [this, twin](bool on) {
        if (on)
            open("random-twin");
        else
            twin->close();
    });
    // isHidden() stays false when only the window is hidden or shown.
    connect(twin, &QDockWidget::visibilityChanged, document, [document, twin, action] {
        document->setTwin(!twin->isHidden());
        action->setChecked(!twin->isHidden());
    });
}

void Panels::makeRoom(const widgets::View* view, bool on) {
    auto* dock = dockAround(view);
    auto* room = dock->findChild<DockRoom*>();
    if (!room)
        room = new DockRoom(dock, view);
    on ? room->take() : room->giveBack();
}

QDockWidget* Panels::wrap(const char* name, const QString& title, QWidget* view, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, window_);
    dock->setWidget(view);
    add(dock, name, area);
    return dock;
}

void Panels::add(QDockWidget* dock, const char* name, Qt::DockWidgetArea area) {
    dock->setObjectName(name);
    window_->addDockWidget(area, dock);
    dock->toggleViewAction()->setToolTip(tr("Show or hide the panel \"%1\"").arg(dock->windowTitle()));
}

/// Omits the grid, where heads are selected for the tab: it is exported from its own menu.
std::vector<QWidget*> Panels::pictures() const {
    std::vector<QWidget*> all{candidates_, headTable_->table(), headTable_->page()};
    std::ranges::copy(ownViews_, std::back_inserter(all));
    return all;
}

void Panels::setRun(const std::shared_ptr<const trace::Run>& run) {
    for (auto* view : views_)
        view->setRun(run);
}

} // namespace headscope::app
