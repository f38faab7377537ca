#pragma once

#include <QDockWidget>

#include "app/desktop/actions.h"
#include "app/results/random_twin.h"
#include "widgets/map/map_options.h"
#include "widgets/selection.h"

class QMainWindow;

namespace headscope::widgets {
class HeatmapView;
class RandomTwinPanel;
} // namespace headscope::widgets

namespace headscope::app {

/// The panel of the random twin. The twin is on while the dock is open, even behind another tab.
class RandomTwinDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All objects must outlive the dock.
    RandomTwinDock(WorkQueue* queue, RandomTwin* twin, widgets::Selection* selection, const Actions& actions,
                   QMainWindow* parent);

    // Both can be exported as pictures.
    widgets::RandomTwinPanel* panel() const { return panel_; }
    widgets::HeatmapView* map() const;

  public Q_SLOTS:
    /// Replaces the twin by that of `seed`, from a session or a trace.
    void setSeed(std::uint64_t seed);
    void setSpaceMarksShown(bool shown);
    void setMapOptions(headscope::widgets::MapOptions options);

  private:
    void open(bool wasClosed);
    void compareEntropy();

    WorkQueue* queue_;
    RandomTwin* twin_;
    widgets::Selection* selection_;
    widgets::RandomTwinPanel* panel_;
};

} // namespace headscope::app
