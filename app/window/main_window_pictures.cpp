#include "app/export/figure_desk.h"
#include "app/export/trace_desk.h"
#include "app/window/docks/arithmetic_dock.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/dock_tabs.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/importance_dock.h"
#include "app/window/docks/lens_dock.h"
#include "app/window/docks/random_twin_dock.h"
#include "app/window/docks/what_if_dock.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "app/window/status_line.h"
#include "widgets/controls/view_choices.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"
#include "widgets/views/what_if/change_comparison.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>
#include <functional>
#include <iterator>

namespace headscope::app {

/// A view's own menu begins with what can be done to the cell or head under the pointer, and ends with saving
/// and copying that view, whichever is on top. A map among others is saved with them: their colours and what
/// is said of all stand beside it.
void MainWindow::offerPicture(QWidget* view) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, [this, view](QPoint position) {
        QMenu menu;
        const auto maps = compared_->allMaps();
        const auto map = std::ranges::find(maps, view);
        if (map != maps.end()) {
            const auto shown = (*map)->head();
            const auto cell = (*map)->runCellAt(position);
            arithmetic_->addToMenu(menu, shown.site.kind, cell);
            menu.addAction((*actions_)[ActionId::CopyCell]);
            headTable_->addCell(menu, shown.site.kind, cell);
            whatIfDock_->addChangesOfCell(menu, shown, cell);
            addPinning(menu, shown);
        }
        const auto head = view == grid_                 ? grid_->headAt(position)
                          : view == overview_->view()   ? overview_->view()->headAt(position)
                          : view == importance_->view() ? importance_->view()->headAt(position)
                          : view == headTable_->table() ? headTable_->table()->headAt(position)
                                                        : std::nullopt;
        if (head) {
            whatIfDock_->addChangesOfHead(menu, *head);
            addPinning(menu, *head);
            menu.addSeparator();
            menu.addAction((*actions_)[ActionId::SaveLayer]->text(), this,
                           [this, head] { saveLayer(*head); });
        }
        menu.addSeparator();
        desk_->addTo(menu, map != maps.end()          ? compared_
                           : view == twinDock_->map() ? static_cast<QWidget*>(twinDock_->panel())
                                                      : view);
        menu.exec(view->mapToGlobal(position));
    });
}

/// What has the focus in a panel that is seen, also in one that is a window of its own, else the tab on top.
/// Heads are chosen in their panel to be looked at in the tab: it is saved by its own menu.
QWidget* MainWindow::viewOnTop() const {
    auto panels = branches_->pictures();
    std::ranges::copy(lens_->pictures(), std::back_inserter(panels));
    panels.insert(panels.end(), {candidates_, importance_->view(), headTable_->table(), headTable_->page(),
                                 twinDock_->panel(), arithmetic_->view(), whatIfDock_->comparison()});
    std::ranges::copy(panelViews_, std::back_inserter(panels));
    for (const QWidget* focus : {QApplication::focusWidget(), focusWidget()}) {
        const auto* dock = dockAround(focus);
        if (!dock || !isInSight(*dock))
            continue;
        const auto has = [focus](const QWidget* view) { return view == focus || view->isAncestorOf(focus); };
        auto found = std::ranges::find_if(panels, has);
        if (found == panels.end()) // a control beside the view
            found = std::ranges::find_if(panels, [dock](auto* view) { return dock->isAncestorOf(view); });
        if (found != panels.end())
            return *found;
    }
    return tabs_->currentWidget();
}

/// As the small maps show it from then on.
void MainWindow::saveLayer(const trace::HeadAddress& head) {
    selection_->setHead(head);
    (*actions_)[ActionId::OneLayer]->setChecked(true);
    desk_->savePicture(grid_);
}

void MainWindow::buildDesk() {
    keepKeysInSight(this); // what is saved and copied is of the panel that has them
    hash_ = new ModelHash(queue_, RunQueue::Slot::Weights, this);
    connect(queue_, &RunQueue::modelOpened, hash_, &ModelHash::follow);
    desk_ = new FigureDesk({.queue = queue_,
                            .hash = hash_,
                            .controller = controller_,
                            .analyses = analyses_,
                            .opener = opener_,
                            .selection = selection_,
                            .settings = &settings_,
                            .window = this,
                            .choices = [this] { return choices_->all(); }},
                           this);
    const auto said = std::make_shared<trace::RefusalText>();
    connect(desk_, &FigureDesk::refused, this, [this, said](const trace::RefusalText& text) {
        *said = text;
        statusBar()->clearMessage(); // of what was done before
        message_->showRefusal(text);
    });
    connect(desk_, &FigureDesk::done, this, [this, said](const QString& words) {
        message_->takeBack(*said);
        statusBar()->showMessage(words, messageTime);
    });
    const auto on = [this](ActionId id, void (FigureDesk::*what)(QWidget*)) {
        connect((*actions_)[id], &QAction::triggered, this,
                [this, what] { std::invoke(what, desk_, viewOnTop()); });
    };
    on(ActionId::SavePicture, &FigureDesk::savePicture);
    on(ActionId::SaveData, &FigureDesk::saveData);
    on(ActionId::CopyPicture, &FigureDesk::copyPicture);
    on(ActionId::CopyTable, &FigureDesk::copyTable);
    on(ActionId::CopyCommand, &FigureDesk::copyCommand);
    traces_ = new TraceDesk(queue_, controller_, analyses_, twin_, this);
    connect(traces_, &TraceDesk::done, this,
            [this](const QString& words) { statusBar()->showMessage(words, messageTime); });
    // Once the model is shown for which the one was left that they were of.
    connect(traces_, &TraceDesk::refused, message_, &MessagePanel::showRefusal, Qt::QueuedConnection);
    connect(traces_, &TraceDesk::savingChanged, this, &MainWindow::followBusy);
    connect((*actions_)[ActionId::SaveLayer], &QAction::triggered, this,
            [this] { saveLayer(selection_->head()); });
}

} // namespace headscope::app
