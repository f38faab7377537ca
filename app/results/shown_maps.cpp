#include "app/results/shown_maps.h"

#include "widgets/map/heatmap_view.h"
#include "widgets/map/map_options.h"
#include "widgets/views/heatmap/heatmap_page.h"

namespace headscope::app {

ShownMaps::ShownMaps(MapAnalyses* analyses, LongMaps* longMaps, CausalRows* causes,
                     widgets::HeatmapPage* heads)
    : QObject(heads), analyses_(analyses), longMaps_(longMaps), causes_(causes), heads_(heads) {
    for (auto* map : heads->allMaps())
        map->expectEffect(); // the line has its room whether one comes or not
    connect(analyses, &MapAnalyses::changed, this, &ShownMaps::show);
    connect(longMaps, &LongMaps::changed, this, &ShownMaps::show);
    connect(causes, &CausalRows::changed, this, &ShownMaps::show);
    connect(heads, &widgets::HeatmapPage::headsChanged, this, &ShownMaps::followHeads);
    followHeads();
}

void ShownMaps::setMapOptions(const widgets::MapOptions& options) {
    longMaps_->setOptions(options);
    analyses_->setQuantity(widgets::computedFor(options.quantity));
    causes_->setAskedFor(options.losses);
}

void ShownMaps::setInSight(bool inSight) {
    analyses_->setEffectWanted(inSight);
    causes_->setWanted(inSight);
}

void ShownMaps::followHeads() {
    std::vector<trace::AttentionSite> sites;
    for (const auto& head : heads_->heads())
        sites.push_back(head.site);
    analyses_->setAlsoShown(sites);
    longMaps_->setAlsoShown(heads_->heads());
    causes_->setAlsoShown(heads_->heads());
    show();
}

void ShownMaps::show() {
    auto maps = heads_->maps();
    maps.push_back(heads_->single()); // of the selected head
    for (auto* map : maps) {
        const auto head = map->head();
        const QString whyNot = analyses_->whyNotAt(head.site);
        map->setWhyNoMaps(whyNot.isEmpty() ? longMaps_->whyNot() : whyNot);
        map->setMaps(analyses_->shownAt(head.site));
        map->setLongMap(longMaps_->of(head));
        map->setEffect(analyses_->effectAt(head.site));
        map->setCause(causes_->causeAt(head));
    }
}

} // namespace headscope::app
