#include "app/window/docks/panels.h"

#include "app/desktop/dock_tabs.h"
#include "app/results/random_twin_dock.h"
#include "app/window/docks/arithmetic_dock.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/importance_dock.h"
#include "app/window/docks/lens_dock.h"
#include "app/window/docks/what_if_dock.h"
#include "app/window/head_tints.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/controls/tall_area.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/places.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/what_if/change_comparison.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>
#include <iterator>

namespace headscope::app {

Panels::Panels(QMainWindow* window, Document* document, ResultParts* results, Actions* actions)
    : QObject(window), window_(window), actions_(actions) {
    auto* selection = document->selection();
    auto* controller = document->controller();
    // The next-token panel stays visible whatever is opened below the maps.
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* grid = new widgets::HeadGridView(selection, window);
    grid_ = grid;
    candidates_ = new widgets::CandidatesView(selection, window);
    auto* heads = wrap("heads", tr("Heads"), grid_, Qt::LeftDockWidgetArea);
    auto* next = wrap("next-token", tr("Next token"), new widgets::TallArea(candidates_, window),
                      Qt::RightDockWidgetArea);
    whatIf_ = new WhatIfDock(document->whatIf(), controller, selection, actions, window);
    add(whatIf_, "what-if", Qt::RightDockWidgetArea);
    window->resizeDocks({next, whatIf_}, {480, 320}, Qt::Vertical);
    importance_ = new ImportanceDock(results->analyses(), controller, selection, actions, window);
    importance_->switchHeadsIn(document->whatIf());
    importance_->showTwin(results->twinAnalyses());
    add(importance_, "importance", Qt::RightDockWidgetArea);
    window->tabifyDockWidget(whatIf_, importance_);
    importance_->hide(); // until something is measured; the panels below stay hidden until requested
    branches_ = new BranchDocks(window, controller, selection, *actions);
    twin_ = new RandomTwinDock(document->queue(), results->twin(), selection, *actions, window);
    add(twin_, "random-twin", Qt::BottomDockWidgetArea);
    twin_->hide();
    lens_ =
        new LensDock(results->analyses(), results->twinAnalyses(), controller, selection, actions, window);
    add(lens_, "logit-lens", Qt::BottomDockWidgetArea);
    lens_->hide();
    arithmetic_ = new ArithmeticDock(selection, *actions, window);
    add(arithmetic_, "arithmetic", Qt::BottomDockWidgetArea);
    arithmetic_->hide();
    headTable_ = new HeadTableDock(document->queue(), controller, results->twin(), results->statistics(),
                                   selection, actions, window);
    headTable_->showImportance(results->analyses());
    add(headTable_, "head-table", Qt::BottomDockWidgetArea);
    headTable_->hide();
    addOwn(selection);
    views_ = ownViews_;
    views_.insert(views_.begin(), {candidates_, arithmetic_->view()});
    tints_ = new HeadTints(grid, importance_, results, actions, this);
    window->resizeDocks({heads, next}, {460, next->widget()->sizeHint().width()}, Qt::Horizontal);
}

void Panels::addOwn(widgets::Selection* selection) {
    for (const auto& panel : widgets::panels()) {
        ownViews_.push_back(panel.make(selection, window_));
        auto* dock = wrap(panel.spec->key, QCoreApplication::translate("ViewSpec", panel.spec->title),
                          new widgets::RoomyArea(ownViews_.back(), window_), Qt::BottomDockWidgetArea);
        dock->hide();
        layOnOpenDocksFromMenu(dock);
    }
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
    QAction* toggle = dock->toggleViewAction();
    toggle->setToolTip(tr("Show or hide the panel \"%1\"").arg(dock->windowTitle()));
    actions_->menu("&Window")->addAction(toggle);
}

/// Omits the grid, where heads are selected for the tab: it is exported from its own menu.
std::vector<QWidget*> Panels::pictures() const {
    auto all = branches_->pictures();
    std::ranges::copy(lens_->pictures(), std::back_inserter(all));
    all.insert(all.end(), {candidates_, importance_->view(), headTable_->table(), headTable_->page(),
                           twin_->panel(), arithmetic_->view(), whatIf_->comparison()});
    std::ranges::copy(ownViews_, std::back_inserter(all));
    return all;
}

void Panels::setRun(const std::shared_ptr<const trace::Run>& run) {
    for (auto* view : views_)
        view->setRun(run);
    tints_->setRun(run);
    branches_->setRun(run);
}

void Panels::setSpaceMarksShown(bool shown) {
    branches_->setSpaceMarksShown(shown);
    twin_->setSpaceMarksShown(shown);
    lens_->setSpaceMarksShown(shown);
    whatIf_->comparison()->setSpaceMarksShown(shown);
}

} // namespace headscope::app
