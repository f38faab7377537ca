#pragma once

#include <QObject>

#include "app/results/causal_rows.h"
#include "app/results/long_maps.h"
#include "app/results/map_analyses.h"

namespace headscope::widgets {
class HeatmapPage;
}

namespace headscope::app {

/// Requests the analyses that the visible maps need, and hands them the results.
class ShownMaps : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this.
    ShownMaps(MapAnalyses* analyses, LongMaps* longMaps, CausalRows* causes, widgets::HeatmapPage* heads);

  public Q_SLOTS:
    void setMapOptions(const headscope::widgets::MapOptions& options);
    /// Only where someone sees them: weights beside effect, and what the step loses.
    void setInSight(bool inSight);
    /// Once the maps have the run: of one that is not shown any more there is nothing.
    void show();

  private:
    void followHeads();

    MapAnalyses* analyses_;
    LongMaps* longMaps_;
    CausalRows* causes_;
    widgets::HeatmapPage* heads_;
};

} // namespace headscope::app
