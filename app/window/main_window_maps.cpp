#include "app/document/map_choices.h"
#include "app/results/causal_rows.h"
#include "app/results/long_maps.h"
#include "app/results/map_analyses.h"
#include "app/window/docks/arithmetic_dock.h"
#include "app/window/docks/random_twin_dock.h"
#include "app/window/main_window.h"
#include "app/window/sentence_panel.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/source_share/source_share.h"

#include <QAction>
#include <QTabWidget>

namespace headscope::app {

void MainWindow::connectMapActions() {
    for (auto* map : compared_->allMaps())
        map->expectEffect(); // the line has its room whether one comes or not
    connect(mapChoices_, &MapChoices::optionsChanged, this, [this](const widgets::MapOptions& options) {
        twinDock_->setMapOptions(options);
        longMaps_->setOptions(options);
        mapAnalyses_->setQuantity(widgets::computedFor(options.quantity));
        causalRows_->setAskedFor(options.losses);
    });
    connect((*actions_)[ActionId::Stop], &QAction::triggered, causalRows_, &CausalRows::stopMeasuring);
    connect(mapAnalyses_, &MapAnalyses::changed, this, &MainWindow::showMaps);
    connect(longMaps_, &LongMaps::changed, this, &MainWindow::showMaps);
    connect(causalRows_, &CausalRows::changed, this, &MainWindow::showCauses);
    connect(compared_, &widgets::ComparedHeads::headsChanged, this, [this] {
        std::vector<trace::AttentionSite> sites;
        for (const auto& head : compared_->heads())
            sites.push_back(head.site);
        mapAnalyses_->setAlsoShown(sites);
        longMaps_->setAlsoShown(compared_->heads());
        causalRows_->setAlsoShown(compared_->heads());
        showMaps();
        showCauses();
    });
    const auto followTab = [this] {
        mapAnalyses_->setEffectWanted(tabs_->currentWidget() == compared_);
        causalRows_->setWanted(tabs_->currentWidget() == compared_);
    };
    connect(tabs_, &QTabWidget::currentChanged, this, followTab);
    followTab();
    connect((*actions_)[ActionId::SourceShare], &QAction::toggled, this, [this](bool shown) {
        sentence_->setSourceShareShown(shown);
        mapAnalyses_->setLastContributionsWanted(shown);
    });
}

void MainWindow::showCauses() {
    heatmap_->setCause(causalRows_->cause());
    for (auto* map : compared_->maps())
        map->setCause(causalRows_->causeAt(map->head()));
}

/// Of a run that is not shown any more there is nothing.
void MainWindow::showMaps() {
    const auto whyNot = [this](const QString& ofEngine) {
        return ofEngine.isEmpty() ? longMaps_->whyNot() : ofEngine;
    };
    heatmap_->setWhyNoMaps(whyNot(mapAnalyses_->whyNot()));
    heatmap_->setMaps(mapAnalyses_->shown());
    heatmap_->setLongMap(longMaps_->of(heatmap_->head()));
    heatmap_->setEffect(mapAnalyses_->effect());
    for (auto* map : compared_->maps()) {
        map->setWhyNoMaps(whyNot(mapAnalyses_->whyNotAt(map->head().site)));
        map->setMaps(mapAnalyses_->shownAt(map->head().site));
        map->setLongMap(longMaps_->of(map->head()));
        map->setEffect(mapAnalyses_->effectAt(map->head().site));
    }
    const auto& run = controller_->run();
    const bool encoderOnly = run && run->model && run->model->decoderLayers == 0;
    sentence_->sourceShare()->setWhyNone(encoderOnly
                                             ? tr("This model has an encoder only: it writes nothing.")
                                             : mapAnalyses_->whyNoContributions());
    sentence_->sourceShare()->setShares(run, mapAnalyses_->lastContributions());
}

} // namespace headscope::app
