// The numbers behind the views of maps.
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/linked_maps.h"
#include "widgets/views/batch/batch_view.h"
#include "widgets/views/compared_heads/compared_heads.h"
#include "widgets/views/head_grid/head_grid_view.h"
#include "widgets/views/heatmap/heatmap_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/source_share/source_share.h"
#include "widgets/words/left_out_words.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::widgets {

namespace {

trace::DataArray headsOfSite(const trace::Run& run, const trace::AttentionRecord& record) {
    const auto kind = record.site.kind;
    return dataArray(trace::toString(record.site) + ".weights", record.weights, record.mask,
                     dataAxis("query", tokenLabels(run.queryTokens(kind))),
                     dataAxis("key", tokenLabels(run.keyTokens(kind))));
}

trace::DataTable tintTable(const HeadTint& tint, const std::vector<trace::HeadAddress>& heads) {
    QStringList names;
    std::vector<double> numbers;
    for (const auto& head : heads)
        if (const auto* value = tint.of(head)) {
            names += QString::fromStdString(trace::toString(head));
            numbers.push_back(value->number);
        }
    return {.name = "tint",
            .columns = {dataColumn("head", names), dataColumn(tint.name().toStdString(), numbers)}};
}

/// Which of its kind's groups a head is in, and how far that one's members are from each other.
std::optional<std::pair<std::size_t, double>> groupOf(const HeadGrouping* grouping,
                                                      const trace::HeadAddress& head) {
    const auto kind = grouping ? grouping->kinds.find(head.site.kind) : decltype(grouping->kinds.begin())();
    if (!grouping || kind == grouping->kinds.end())
        return std::nullopt;
    const auto& alike = kind->second.alike;
    for (std::size_t i = 0; i < alike.size(); ++i)
        if (std::ranges::find(alike[i].heads, head) != alike[i].heads.end())
            return std::pair(i, alike[i].divergence);
    return std::nullopt;
}

/// Where every head stands and, of heads in order, the number that it stands there by; of groups, which of
/// the kind's it is in, NaN where it is like no other, and how far its members are from each other.
trace::DataTable orderTable(const std::vector<OverviewBlock>& blocks, const HeadTint* rank,
                            const HeadGrouping* grouping) {
    QStringList heads;
    std::vector<double> places, ranked, groups, divergences;
    for (const auto& block : blocks) {
        int place = 0;
        for (const auto& cluster : block.clusters)
            for (const auto& head : cluster.heads) {
                heads += QString::fromStdString(trace::toString(head));
                places.push_back(place++);
                const auto* number = rank ? rank->of(head) : nullptr;
                ranked.push_back(number ? number->number : noNumber);
                groups.push_back(noNumber);
                divergences.push_back(noNumber);
                if (const auto group = groupOf(grouping, head)) {
                    groups.back() = static_cast<double>(group->first);
                    divergences.back() = group->second;
                }
            }
    }
    trace::DataTable table{.name = "order",
                           .columns = {dataColumn("head", heads), dataColumn("place", places)}};
    if (rank)
        table.columns.push_back(dataColumn(rank->name().toStdString(), ranked));
    if (grouping) {
        table.columns.push_back(dataColumn("group", groups));
        table.columns.push_back(dataColumn("mean_divergence", divergences));
    }
    return table;
}

/// The lines themselves, where the maps are too long to be kept.
trace::DataTable linesTable(const std::vector<AttentionLine>& lines, trace::AttentionSite site,
                            const LinesPicture& picture) {
    QStringList heads, queryTokens, keyTokens;
    std::vector<double> queries, keys, weights;
    for (const auto& line : lines) {
        heads += QString::fromStdString(trace::toString(trace::HeadAddress{site, line.head}));
        queries.push_back(line.query);
        queryTokens += picture.queryLabels.at(static_cast<std::size_t>(line.query)).full();
        keys.push_back(line.key);
        keyTokens += picture.keyLabels.at(static_cast<std::size_t>(line.key)).full();
        weights.push_back(line.weight);
    }
    return {.name = "lines",
            .columns = {dataColumn("head", heads), dataColumn("query", queries),
                        dataColumn("query_token", queryTokens), dataColumn("key", keys),
                        dataColumn("key_token", keyTokens), dataColumn("weight", weights)}};
}

} // namespace

trace::FigureData HeatmapView::figureData() const {
    const ShownMap& shown = drawn_->shown;
    trace::FigureData data;
    if (shown.empty())
        return data;
    const char* rows = shown.transposed ? "key" : "query";
    const char* columns = shown.transposed ? "query" : "key";
    data.arrays.push_back(dataArray(dataName(options_.quantity), trace::view(shown.values), &shown.mask,
                                    dataAxis(rows, shown.rows().labels),
                                    dataAxis(columns, shown.columns().labels)));
    if (!shown.kept.empty())
        data.arrays.push_back(dataArray("kept", shown.kept, dataAxis("query", shown.queries.labels)));
    if (options_.received)
        data.arrays.push_back(dataArray("received", shown.received, dataAxis("key", shown.keys.labels)));
    for (const auto& [name, losses] :
         {std::pair("loss_everywhere", cause_.everywhere), std::pair("loss_in_this_head", cause_.here)})
        if (showsLosses() && losses)
            data.arrays.push_back(
                dataArray(name, losses->drops, dataAxis("source", tokenLabels(run_->source))));
    return data;
}

trace::FigureData ComparedHeads::figureData() const {
    if (heads_.empty())
        return single_->figureData();
    trace::FigureData all;
    for (const auto* map : maps())
        for (auto& array : map->figureData().arrays) {
            array.name = trace::toString(map->head()) + "." + array.name;
            all.arrays.push_back(std::move(array));
        }
    QStringList heads, references;
    std::vector<double> divergences;
    for (const auto& [head, divergence] : divergences_) {
        const auto reference = referenceHead(heads_, selected_, head.site.kind);
        if (!reference || *reference == head)
            continue;
        heads += QString::fromStdString(trace::toString(head));
        references += QString::fromStdString(trace::toString(*reference));
        divergences.push_back(divergence.value_or(noNumber));
    }
    if (!heads.isEmpty())
        all.tables.push_back({.name = "divergence",
                              .columns = {dataColumn("head", heads), dataColumn("from", references),
                                          dataColumn("mean_divergence", divergences)}});
    return all;
}

trace::FigureData LinesView::figureData() const {
    const auto* shown = record();
    if (!shown || (shown->isLeftOut() && !isCounted()))
        return {};
    if (shown->isLeftOut())
        return {.tables = {linesTable(lines_.lines, shown->site, picture_)}};
    const auto queries = dataAxis("query", picture_.queryLabels);
    const auto keys = dataAxis("key", picture_.keyLabels);
    trace::FigureData data;
    for (const int head : picture_.heads)
        data.arrays.push_back(dataArray(trace::toString(trace::HeadAddress{shown->site, head}) + ".weights",
                                        drawn()->weights.head(static_cast<std::size_t>(head)), &drawn()->mask,
                                        queries, keys));
    return data;
}

trace::FigureData OverviewView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    std::vector<trace::HeadAddress> heads;
    QStringList leftOut; // too long to be kept
    for (const auto& site : sites_) {
        const auto& record = *run_->record(site);
        if (!record.isLeftOut())
            data.arrays.push_back(headsOfSite(*run_, record));
        else
            leftOut += QString::fromStdString(trace::toString(site));
        for (std::size_t head = 0; head < record.heads(); ++head)
            heads.push_back({site, static_cast<int>(head)});
    }
    if (!data.arrays.empty() && !leftOut.isEmpty())
        data.tables.push_back({.name = "maps_left_out", .columns = {dataColumn("attention", leftOut)}});
    if (!tint_.isEmpty())
        data.tables.push_back(tintTable(tint_, heads));
    if (order_ == Order::Ranked || showsGroups())
        data.tables.push_back(orderTable(blocks_, order_ == Order::Ranked ? &rank_ : nullptr,
                                         showsGroups() ? &*grouping_ : nullptr));
    return data;
}

QString OverviewView::whyNoData() const {
    return hasFigure() && !sites_.empty() ? whyLeftOut(*run_, sites_.front()) : QString();
}

QString Overview::whyNoData() const {
    return view_->whyNoData();
}

trace::FigureData Overview::figureData() const {
    return view_->figureData();
}

trace::FigureData HeadGridView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    for (int layer = 0; layer < run_->model->layers(kind()); ++layer)
        if (const auto* record = run_->record({kind(), layer});
            record && !record->isLeftOut() && isShown(layer))
            data.arrays.push_back(headsOfSite(*run_, *record));
    if (isTinted())
        data.tables.push_back(tintTable(tint(), grid_.heads));
    return data;
}

QString HeadGridView::whyNoData() const {
    return hasFigure() ? whyLeftOut(*run_, {kind(), 0}) : QString();
}

trace::FigureData MaskView::figureData() const {
    if (page() == Page::Batch)
        return batch_->figureData();
    trace::FigureData data;
    if (hasFigure())
        addLinkedMaps(data, mapsInSight()->maps());
    return data;
}

trace::FigureData SourceShareView::figureData() const {
    trace::FigureData data;
    if (hasFigure())
        data.arrays.push_back(
            dataArray("source_share", shares_,
                      dataAxis("step", run_->next.size() == shares_.size() ? tokenLabels(run_->next)
                                                                           : std::vector<TokenLabel>())));
    return data;
}

} // namespace headscope::widgets
