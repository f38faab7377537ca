// All heads at once, and several beside each other.
#include "app/results/head_comparisons.h"
#include "app/results/long_tiles.h"
#include "app/window/docks/head_table_dock.h"
#include "app/window/docks/importance_dock.h"
#include "app/window/main_window.h"
#include "app/window/status_line.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"

#include <QAction>
#include <QMenu>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>

namespace headscope::app {

void MainWindow::connectHeads() {
    auto* tiles = new LongTiles(queue_, controller_, this);
    tiles->serve(overview_->view());
    tiles->serve(grid_);
    const auto on = [this](ActionId id, auto&& what) {
        connect((*actions_)[id], &QAction::triggered, this, what);
    };
    on(ActionId::ToggleOverview, &MainWindow::toggleOverview);
    on(ActionId::ViewOverview, &MainWindow::openOverview);
    on(ActionId::PinHead, [this] { selection_->togglePinnedHead(selection_->head()); });
    on(ActionId::UnpinHeads, [this] { selection_->setPinnedHeads({}); });
    connect(overview_->view(), &widgets::OverviewView::headOpened, this, [this] { showTab(compared_); });
    connect(grid_, &widgets::HeadGridView::headOpened, this, &MainWindow::openHead);
    connect((*actions_)[ActionId::OneLayer], &QAction::toggled, grid_, &widgets::HeadGridView::setLayerOnly);
    connect(importance_->view(), &widgets::ImportanceView::headOpened, this, &MainWindow::openHead);
    connect(headTable_->table(), &widgets::HeadTable::headOpened, this, &MainWindow::openHead);
    connect(importance_->view(), &widgets::ImportanceView::scoresChanged, this, [this] {
        overview_->setImportance(importance_->view()->scores(), importance_->view()->caption());
    });
    connect(headTable_->statistics(), &ShownStatistics::changed, this,
            [this] { overview_->setStatistics(headTable_->statistics()->heads()); });
    connect(tabs_, &QTabWidget::currentChanged, this, &MainWindow::followOverview);
    connect(selection_, &widgets::Selection::pinnedHeadsChanged, this, &MainWindow::followPins);
    connect(selection_, &widgets::Selection::headNotPinned, this, [this](trace::HeadAddress head) {
        statusBar()->showMessage(tr("%1 was not pinned: four heads are, let one of them go first.")
                                     .arg(QString::fromStdString(trace::toString(head))),
                                 messageTime);
    });
    followPins();
}

void MainWindow::toggleOverview() {
    if (tabs_->currentWidget() == overview_)
        return showTab(compared_);
    openOverview();
}

void MainWindow::openOverview() {
    tabs_->setCurrentWidget(overview_);
    overview_->view()->setFocus(Qt::ShortcutFocusReason); // arrows go from head to head
}

void MainWindow::openHead() {
    tabs_->setCurrentWidget(compared_);
}

void MainWindow::followOverview() {
    const bool shown = tabs_->currentWidget() == overview_;
    headTable_->statistics()->setWanted(overview_, shown);
    comparisons_->setOverviewShown(shown);
}

void MainWindow::followPins() {
    actions_->setEnabled(ActionId::UnpinHeads, !selection_->pinnedHeads().empty(),
                         tr("No head is pinned: select one and press P."));
}

/// What another model does not have cannot be shown.
void MainWindow::keepPinsOf(const trace::ModelSummary& model) {
    auto heads = selection_->pinnedHeads();
    std::erase_if(heads, [&](const trace::HeadAddress& head) {
        return head.site.layer >= model.layers(head.site.kind) || head.head >= model.heads(head.site.kind);
    });
    selection_->setPinnedHeads(heads);
}

void MainWindow::addPinning(QMenu& menu, const trace::HeadAddress& head) {
    const QString name = QString::fromStdString(trace::toString(head));
    menu.addSeparator();
    menu.addAction(selection_->pinOf(head) ? tr("Unpin %1").arg(name) : tr("Pin %1").arg(name), this,
                   [this, head] { selection_->togglePinnedHead(head); });
}

} // namespace headscope::app
