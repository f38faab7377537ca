#include "app/results/random_twin_dock.h"

#include "app/desktop/dock_tabs.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/views/random_twin/random_twin_panel.h"

#include <QAction>
#include <QMainWindow>

namespace headscope::app {

using widgets::RandomTwinPanel;

namespace {

constexpr int mapHeight = 340; ///< space for the text and the row labels of a short sentence

} // namespace

RandomTwinDock::RandomTwinDock(WorkQueue* queue, RandomTwin* twin, widgets::Selection* selection,
                               const Actions& actions, QMainWindow* parent)
    : QDockWidget(tr("Random twin"), parent), queue_(queue), twin_(twin), selection_(selection),
      panel_(new RandomTwinPanel(selection, this)) {
    setWidget(new widgets::RoomyArea(panel_, this));
    panel_->setSeed(twin->seed());
    connect(panel_, &RandomTwinPanel::seedChosen, twin, &RandomTwin::setSeed);
    connect(twin, &RandomTwin::runChanged, this, [this] {
        panel_->setRuns(twin_->shown(), twin_->run());
        compareEntropy();
    });
    connect(selection, &widgets::Selection::headChanged, this, &RandomTwinDock::compareEntropy);
    connect(twin, &RandomTwin::refused, panel_, &RandomTwinPanel::showRefusal);
    QAction* action = actions[ActionId::RandomTwin];
    connect(action, &QAction::triggered, this, [this](bool on) {
        if (on)
            open(isHidden());
        else
            close();
    });
    connect(toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
        if (shown)
            open(true);
    });
    // isHidden() stays false when only the window is hidden or shown.
    connect(this, &QDockWidget::visibilityChanged, twin, [this] {
        if (!twin_->run())
            panel_->setRuns(nullptr, nullptr); // the hint depends on whether a model is open
        twin_->setOn(!isHidden());
    });
    connect(twin, &RandomTwin::switched, action, [this, action] { action->setChecked(twin_->isOn()); });
    connect(actions[ActionId::FitMap], &QAction::triggered, map(), &widgets::HeatmapView::fit);
}

widgets::HeatmapView* RandomTwinDock::map() const {
    return panel_->map();
}

void RandomTwinDock::setSeed(std::uint64_t seed) {
    panel_->setSeed(seed);
    twin_->setSeed(seed);
}

void RandomTwinDock::setSpaceMarksShown(bool shown) {
    panel_->setSpaceMarksShown(shown);
}

/// On a worker thread: maps of long sentences have many cells.
void RandomTwinDock::compareEntropy() {
    queue_->stop(WorkQueue::JobKind::Entropy);
    if (!twin_->run())
        return;
    queue_->compute(WorkQueue::JobKind::Entropy, panel_,
                    [panel = panel_, run = twin_->shown(), twin = twin_->run(), head = selection_->head()] {
                        return [panel, entropies = analysis::compareEntropy(*run, *twin, head)] {
                            panel->setEntropies(entropies);
                        };
                    });
}

/// The twin shows the same quantity, but quantities that need their own computation exist for the model only.
void RandomTwinDock::setMapOptions(widgets::MapOptions options) {
    if (widgets::computedFor(options.quantity))
        options.quantity = widgets::Quantity::Weights;
    map()->setOptions(options);
}

void RandomTwinDock::open(bool wasClosed) {
    openOnTop(this, wasClosed, mapHeight);
    giveKeys(*this);
}

} // namespace headscope::app
