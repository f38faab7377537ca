#include "app/results/result_parts.h"

#include "app/results/analyses.h"
#include "app/results/causal_rows.h"
#include "app/results/long_maps.h"
#include "app/results/long_tiles.h"
#include "app/results/map_analyses.h"
#include "app/results/random_twin.h"
#include "app/results/results.h"
#include "app/results/shown_statistics.h"
#include "app/results/twin_analyses.h"

namespace headscope::app {

ResultParts::ResultParts(Document* document, QObject* parent) : QObject(parent) {
    auto* queue = document->queue();
    auto* controller = document->controller();
    auto* selection = document->selection();
    answers_ = new Results(queue, this);
    analyses_ = new Analyses(answers_, controller, this);
    maps_ = new MapAnalyses(answers_, controller, selection, this);
    longMaps_ = new LongMaps(queue, controller, selection, this);
    longTiles_ = new LongTiles(queue, controller, this);
    causalRows_ = new CausalRows(queue, controller, selection, this);
    twin_ = new RandomTwin(answers_, controller, this);
    twinAnalyses_ = new TwinAnalyses(answers_, controller, analyses_, twin_, this);
    statistics_ = new ShownStatistics(queue, controller, twin_, this);
}

} // namespace headscope::app
