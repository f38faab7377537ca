#pragma once

#include <QDockWidget>

#include "app/results/random_twin.h"
#include "app/window/actions.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"

class QMainWindow;

namespace headscope::widgets {
class HeatmapView;
class RandomTwinPanel;
} // namespace headscope::widgets

namespace headscope::app {

/// The twin's panel. The twin is on as long as the dock is open, behind another tab, too.
class RandomTwinDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All of them outlive the dock.
    RandomTwinDock(RunQueue* queue, RandomTwin* twin, widgets::Selection* selection, const Actions& actions,
                   QMainWindow* parent);

    // Both can be saved as a picture.
    widgets::RandomTwinPanel* panel() const { return panel_; }
    widgets::HeatmapView* map() const;

  public Q_SLOTS:
    /// Replaces the twin by that of `seed`, which a session or a trace gives.
    void setSeed(std::uint64_t seed);
    void setSpaceMarksShown(bool shown);
    void setMapOptions(headscope::widgets::MapOptions options);

  private:
    void open(bool wasClosed);
    void compareEntropy();

    RunQueue* queue_;
    RandomTwin* twin_;
    widgets::Selection* selection_;
    widgets::RandomTwinPanel* panel_;
};

} // namespace headscope::app
