#include "widgets/map/ready_map.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t previewSide = 512;

} // namespace

Pooling poolingOf(Quantity quantity) {
    return isScore(quantity) ? Pooling::Largest : Pooling::Extreme;
}

ReadyMap::ReadyMap(ShownMap map, const MapOptions& options) : shown(std::move(map)) {
    if (shown.empty())
        return;
    tones = mapTones(shown, options);
    pyramid = MatrixPyramid(coloured(), &shown.mask, poolingOf(options.quantity));
}

std::size_t ReadyMap::bytes() const {
    const auto cells = shown.values.values().size();
    // The coarser levels have a third of the cells in all.
    return (cells + cells / 3) * (sizeof(float) + 1) + tones.values.values().size() * sizeof(float);
}

MapOptions forNumbers(MapOptions options) {
    options.numbers = options.received = options.losses = false;
    return options;
}

bool LongMap::isOf(const std::shared_ptr<const trace::Run>& other, const trace::HeadAddress& ofHead,
                   const MapOptions& shownAs) const {
    return run == other && head == ofHead && options == forNumbers(shownAs);
}

bool isRecomputed(const trace::Run& run, const trace::HeadAddress& head, const MapOptions& options) {
    const auto* record = computedFor(options.quantity) ? nullptr : run.recordOf(head);
    return record && record->isRecomputed();
}

std::shared_ptr<const ReadyMap> computeLongMap(const trace::Run& run, const trace::HeadAddress& head,
                                               const MapOptions& options, std::stop_token stop) {
    const auto& record = *run.record(head.site);
    const auto h = head.head;
    ComputedMap map{.values = isScore(options.quantity) ? analysis::recomputedScores(record, h, stop)
                                                        : analysis::recomputedWeights(record, h, stop),
                    .mask = analysis::maskOf(record)};
    trace::throwIfStopped(stop);
    auto shown = shownMap(run, std::move(map), head, options);
    trace::throwIfStopped(stop);
    return std::make_shared<ReadyMap>(std::move(shown), options);
}

LongMap computePreview(const std::shared_ptr<const trace::Run>& run, const trace::HeadAddress& head,
                       const MapOptions& options, std::stop_token stop) {
    const auto& record = *run->record(head.site);
    const auto longest = std::max(record.queries(), record.keys());
    const auto tokens = (longest + previewSide - 1) / previewSide;
    const auto cells = [tokens](std::size_t count) { return (count + tokens - 1) / tokens; };
    auto pooled = analysis::pooledWeights(record, head.head, cells(record.queries()), cells(record.keys()),
                                          tokens, std::move(stop));
    return {.run = run,
            .head = head,
            .options = forNumbers(options),
            .map = std::make_shared<ReadyMap>(shownMap(*run,
                                                       {.values = std::move(pooled.values),
                                                        .mask = std::move(pooled.open),
                                                        .tokensARow = tokens},
                                                       head, options),
                                              options),
            .tokensACell = tokens};
}

LongMap LongMapWhat::count(const trace::Task& work) const {
    if (isPreview)
        return computePreview(run, head, options, work.stop());
    return {.run = run,
            .head = head,
            .options = options,
            .map = computeLongMap(*run, head, options, work.stop())};
}

bool hasPreview(const MapOptions& options) {
    return options.quantity == Quantity::Weights && !options.words && !options.withoutSpecial;
}

} // namespace headscope::widgets
